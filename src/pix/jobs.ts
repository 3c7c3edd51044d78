import type { Task } from '#platform/jobs.ts';
import type { Pix } from './pix.ts';
import { reconcile, sweep, sweepRefunds } from './reconcile.ts';
import { sendRefund } from './send-refund.ts';
import { syncCharge } from './sync-charge.ts';
import { syncPayment } from './sync-payment.ts';
import { RECONCILE, REFUND, SWEEP, SWEEP_REFUNDS, SYNC_CHARGE, SYNC_PAYMENT } from './tasks.ts';

export const pixTasks = (pix: Pix): Record<string, Task> => ({
  async [SYNC_CHARGE](payload) {
    const { txid, noticed_at } = payload as { txid: string; noticed_at?: string };
    const fresh = await syncCharge(pix, txid);
    if (fresh === 0) return;
    pix.metrics.settlements.inc({ heard_by: noticed_at ? 'notice' : 'reconciliation' }, fresh);
    // Real time, which the sandbox's clock is not.
    if (noticed_at) pix.metrics.settlementSeconds.observe((Date.now() - Number(noticed_at)) / 1000);
  },
  [SYNC_PAYMENT]: (payload) => syncPayment(pix, (payload as { end_to_end_id: string }).end_to_end_id),
  [REFUND]: (payload) => sendRefund(pix, payload as Parameters<typeof sendRefund>[1]),
  [RECONCILE]: () => reconcile(pix),
  [SWEEP]: () => sweep(pix),
  [SWEEP_REFUNDS]: () => sweepRefunds(pix),
});

export const PIX_CRON = [
  { task: RECONCILE, match: '* * * * *' },
  { task: SWEEP, match: '* * * * *' },
  { task: SWEEP_REFUNDS, match: '*/10 * * * *' },
];
