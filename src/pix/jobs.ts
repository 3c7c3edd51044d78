import type { CronItem, Tasks } from '#platform/jobs/jobs.ts';
import { runAutopay } from './autopay/autopay-jobs.ts';
import { syncAuthorisationByRecId } from './autopay/sync-authorisation.ts';
import { sendOrphanRefund } from './orphans/send-orphan-refund.ts';
import { reconcile, sweep, sweepRefunds } from './payments/reconcile.ts';
import { syncPayments } from './payments/sync-payments.ts';
import type { Pix } from './pix.ts';
import { sendRefund } from './refunds/send-refund.ts';
import { syncCharge, syncCharges } from './settlement/sync-charge.ts';
import { listTxidsToRemove } from './store/charges.ts';

/** Limit of one job. Reconciliation finds the rest. */
const MAX_REMOVALS = 100;

export const pixTasks = (pix: Pix): Tasks => ({
  pix_sync: {
    queue: 'settlement',
    run: ({ payments, noticed_at_ms }) => syncPayments(pix, payments, noticed_at_ms),
  },
  pix_remove_charges: async (installment) =>
    syncCharges(pix, await listTxidsToRemove(pix.db, installment, MAX_REMOVALS)),
  pix_refund: (refund) => sendRefund(pix, refund, syncCharge),
  pix_refund_orphan: ({ end_to_end_id }) => sendOrphanRefund(pix, end_to_end_id),
  pix_sync_authorisation: {
    queue: 'settlement',
    run: ({ rec_id }) => syncAuthorisationByRecId(pix, rec_id),
  },
  pix_autopay: () => runAutopay(pix),
  pix_reconcile: () => reconcile(pix),
  pix_sweep: { queue: 'settlement', run: () => sweep(pix) },
  pix_sweep_refunds: { queue: 'settlement', run: () => sweepRefunds(pix) },
});

export const PIX_CRON: CronItem[] = [
  { task: 'pix_autopay', match: '* * * * *' },
  { task: 'pix_reconcile', match: '* * * * *' },
  { task: 'pix_sweep', match: '* * * * *' },
  { task: 'pix_sweep_refunds', match: '*/10 * * * *' },
];
