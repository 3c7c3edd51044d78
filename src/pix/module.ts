import { DAY_MS } from '#core/values/duration.ts';
import { autopayFinder, refundRequester } from '#credit';
import { defineModule } from '#module';
import { buildEndpoints } from '#platform/http/endpoint.ts';
import { waitForAllOrThrow } from '#platform/jobs/concurrency.ts';
import type { CronItem, Tasks } from '#platform/jobs/jobs.ts';
import { bindService } from '#platform/service.ts';
import { pixAuditor } from './audit/audit.ts';
import { findAutopayView } from './autopay/render-autopay.ts';
import { runAutopay } from './autopay/schedule-debits.ts';
import { syncAuthorisationByRecId } from './autopay/sync-authorisation.ts';
import { buildCallbackEndpoints } from './callbacks/receive-callback.ts';
import { pspRegister } from './commands/psp-register.ts';
import * as endpoints from './http/index.ts';
import { openPix, pixService } from './open-pix.ts';
import { sendOrphanRefund, sendRefund } from './payments/send-refund.ts';
import { reconcile, sweepPayments, sweepRefunds, syncPayments } from './payments/sync-payments.ts';
import type { Pix } from './pix.ts';
import { pixPersonalData } from './privacy/personal-data.ts';
import { requestRefunds } from './refunds/request-refunds.ts';
import { pixSettings } from './settings.ts';
import { onCashbackChanged, onCheckoutPaid, onCheckoutReturned } from './settlement/cancel-charges.ts';
import { syncCharges } from './settlement/sync-charge.ts';
import { createPixSearcher } from './staff/search.ts';
import { purgeCallbacks, savePspIdsOfOldCallbacks } from './store/callbacks.ts';
import { listTxidsToRemove } from './store/charges.ts';
import { countOpenOrphans } from './store/orphans.ts';
import { countGivenUpRefunds } from './store/payments.ts';

const CALLBACK_RETENTION_MS = 90 * DAY_MS;

export const pixModule = defineModule({
  name: 'pix',
  settings: pixSettings,
  tags: {
    staff: [
      {
        name: 'Pix',
        paths: ['/admin/pix'],
        description: 'PIX charges, payments and refunds, and payments that need manual action.',
      },
      {
        name: 'Autopay',
        paths: ['/admin/autopay'],
        description: 'Debit authorisations of customers, and their debits.',
      },
    ],
  },
  eventHandlers: () => ({
    'cashback.changed': [onCashbackChanged],
    'checkout.returned': [onCheckoutReturned],
    'checkout.paid': [onCheckoutPaid],
  }),
  auditor: pixAuditor,
  personalData: pixPersonalData,
  provides: [bindService(autopayFinder, findAutopayView), bindService(refundRequester, requestRefunds)],
  commands: ({ settings }) => [pspRegister(settings)],
  open(deps) {
    const pix = openPix(deps);
    const { connection: pspConnection } = deps.settings;
    deps.provideService(pixService, pix);
    const builtEndpoints = buildEndpoints(endpoints, pix);
    return {
      ...builtEndpoints,
      partner: [...builtEndpoints.partner, ...buildCallbackEndpoints(pix)],
      search: createPixSearcher(deps.db),
      pendingWork: {
        orphans: () => countOpenOrphans(deps.db),
        // Refunds that failed for good. Others are retried automatically.
        failed_refunds: () => countGivenUpRefunds(deps.db),
      },
      tasks: pixTasks(pix),
      cron: PIX_CRON,
      async housekeeping(now) {
        await purgeCallbacks(deps.db, new Date(now.getTime() - CALLBACK_RETENTION_MS));
        await savePspIdsOfOldCallbacks(deps.db);
      },
      async start() {
        if (pspConnection) pix.connect(pspConnection);
      },
      stop: () => pix.close(),
    };
  },
});

/** Limit of charges that one job removes. Reconciliation removes the others. */
const MAX_REMOVALS = 100;

const pixTasks = (pix: Pix): Tasks => ({
  pix_sync: {
    queue: 'settlement',
    run: ({ payments, noticed_at_ms }) => syncPayments(pix, payments, noticed_at_ms),
  },
  // Syncing a cancelled charge removes it at the PSP.
  pix_remove_charges: async (installment) =>
    syncCharges(pix, await listTxidsToRemove(pix.db, installment, MAX_REMOVALS)),
  pix_refund: (refund) => sendRefund(pix, refund),
  pix_refund_orphan: ({ end_to_end_id }) => sendOrphanRefund(pix, end_to_end_id),
  pix_sync_authorisation: {
    queue: 'settlement',
    // Concurrent syncs share transactions. A retry after a partial failure syncs all authorisations again.
    run: ({ rec_ids }) => waitForAllOrThrow(rec_ids.map((recId) => syncAuthorisationByRecId(pix, recId))),
  },
  pix_autopay: () => runAutopay(pix),
  pix_reconcile: () => reconcile(pix),
  pix_sweep: { queue: 'settlement', run: () => sweepPayments(pix) },
  pix_sweep_refunds: { queue: 'settlement', run: () => sweepRefunds(pix) },
});

const PIX_CRON: CronItem[] = [
  { task: 'pix_autopay', match: '* * * * *' },
  { task: 'pix_reconcile', match: '* * * * *' },
  { task: 'pix_sweep', match: '* * * * *' },
  { task: 'pix_sweep_refunds', match: '*/10 * * * *' },
];
