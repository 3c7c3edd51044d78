import type { Tasks } from '#platform/jobs.ts';
import type { Pix } from './pix.ts';
import { reconcile, sweep, sweepRefunds } from './reconcile.ts';
import { sendRefund } from './send-refund.ts';
import { listTxidsToRemove } from './store/charges.ts';
import { syncCharge } from './sync-charge.ts';
import { syncCharges } from './sync-charges.ts';
import { NoticedPayments } from './sync-noticed.ts';
import { syncPayment } from './sync-payment.ts';
import {
  RECONCILE,
  REFUND,
  REMOVE_CHARGES,
  SWEEP,
  SWEEP_REFUNDS,
  SYNC_CHARGE,
  SYNC_PAYMENT,
} from './tasks.ts';

/** What one job takes up; reconciliation finds the rest. */
const MOST_REMOVED = 100;

export const pixTasks = (pix: Pix, noticed = new NoticedPayments(pix)): Tasks => ({
  [SYNC_CHARGE]: {
    queue: 'settlement',
    async run(payload) {
      const { txid, end_to_end_id, paid_at, noticed_at } = payload as Record<string, string>;
      const fresh =
        end_to_end_id && paid_at
          ? await noticed.sync({ txid: txid!, endToEndId: end_to_end_id, paidAt: new Date(paid_at) })
          : await syncCharge(pix, txid!, end_to_end_id || undefined);
      if (fresh === 0) return;
      pix.metrics.settlements.inc({ heard_by: noticed_at ? 'notice' : 'reconciliation' }, fresh);
      // Real time, which the sandbox's clock is not.
      if (noticed_at) pix.metrics.settlementSeconds.observe((Date.now() - Number(noticed_at)) / 1000);
    },
  },
  [SYNC_PAYMENT]: {
    queue: 'settlement',
    run: (payload) => syncPayment(pix, (payload as { end_to_end_id: string }).end_to_end_id),
  },
  async [REMOVE_CHARGES](payload) {
    const installment = payload as { customer_id: string; installment_id: string };
    await syncCharges(pix, await listTxidsToRemove(pix.db, installment, MOST_REMOVED));
  },
  [REFUND]: (payload) => sendRefund(pix, payload as Parameters<typeof sendRefund>[1]),
  [RECONCILE]: () => reconcile(pix),
  [SWEEP]: { queue: 'settlement', run: () => sweep(pix) },
  [SWEEP_REFUNDS]: { queue: 'settlement', run: () => sweepRefunds(pix) },
});

export const PIX_CRON = [
  { task: RECONCILE, match: '* * * * *' },
  { task: SWEEP, match: '* * * * *' },
  { task: SWEEP_REFUNDS, match: '*/10 * * * *' },
];
