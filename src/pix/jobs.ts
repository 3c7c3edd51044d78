import type { Task } from '#platform/jobs.ts';
import { askForRefund } from './ask-for-refund.ts';
import { lookAtCharge } from './look-at-charge.ts';
import { lookAtPayment } from './look-at-payment.ts';
import type { Pix } from './pix.ts';
import { reconcile, sweep, sweepRefunds } from './reconcile.ts';
import { LOOK, LOOK_AT_PAYMENT, RECONCILE, REFUND, SWEEP, SWEEP_REFUNDS } from './tasks.ts';

export const pixTasks = (pix: Pix): Record<string, Task> => ({
  async [LOOK](payload) {
    const { txid, noticed_at } = payload as { txid: string; noticed_at?: string };
    const fresh = await lookAtCharge(pix, txid);
    if (fresh === 0) return;
    pix.metrics.settlements.inc({ heard_by: noticed_at ? 'notice' : 'reconciliation' }, fresh);
    // Real time, which the sandbox's clock is not.
    if (noticed_at) pix.metrics.settlementSeconds.observe((Date.now() - Number(noticed_at)) / 1000);
  },
  [LOOK_AT_PAYMENT]: (payload) => lookAtPayment(pix, (payload as { end_to_end_id: string }).end_to_end_id),
  [REFUND]: (payload) => askForRefund(pix, payload as Parameters<typeof askForRefund>[1]),
  [RECONCILE]: () => reconcile(pix),
  [SWEEP]: () => sweep(pix),
  [SWEEP_REFUNDS]: () => sweepRefunds(pix),
});

export const PIX_CRON = [
  { task: RECONCILE, match: '* * * * *' },
  { task: SWEEP, match: '* * * * *' },
  { task: SWEEP_REFUNDS, match: '*/10 * * * *' },
];
