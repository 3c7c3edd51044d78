import type { Tasks } from '#platform/jobs/jobs.ts';
import { syncCharge } from './charges/sync-charge.ts';
import { syncCharges } from './charges/sync-charges.ts';
import { reconcile, sweep, sweepRefunds } from './payments/reconcile.ts';
import { openNoticedPayments } from './payments/sync-noticed.ts';
import { syncPayment } from './payments/sync-payment.ts';
import type { Pix } from './pix.ts';
import { sendOrphanRefund } from './refunds/send-orphan-refund.ts';
import { sendRefund } from './refunds/send-refund.ts';
import { listTxidsToRemove } from './store/charges.ts';
import {
  RECONCILE,
  REFUND,
  REFUND_ORPHAN,
  REMOVE_CHARGES,
  SWEEP,
  SWEEP_REFUNDS,
  SYNC_CHARGE,
  SYNC_NOTICED,
  SYNC_PAYMENT,
} from './tasks.ts';

/** What one job takes up; reconciliation finds the rest. */
const MOST_REMOVED = 100;

export const pixTasks = (pix: Pix, noticed = openNoticedPayments(pix)): Tasks => ({
  [SYNC_CHARGE]: {
    queue: 'settlement',
    async run(payload) {
      const { txid, end_to_end_id, paid_at, noticed_at } = payload as Record<string, string>;
      const payment = { txid: txid!, endToEndId: end_to_end_id!, paidAt: new Date(paid_at!) };
      const fresh =
        end_to_end_id && paid_at
          ? await noticed.add(payment)
          : await syncCharge(pix, txid!, end_to_end_id || undefined);
      measure(pix, fresh, noticed_at!);
    },
  },
  [SYNC_NOTICED]: {
    queue: 'settlement',
    async run(payload) {
      const { payments, noticed_at } = payload as { payments: string; noticed_at: string };
      const named = JSON.parse(payments) as Array<{ txid: string; endToEndId: string; paidAt: string }>;
      const synced = await Promise.allSettled(
        named.map(async ({ paidAt, ...payment }) =>
          measure(pix, await noticed.add({ ...payment, paidAt: new Date(paidAt) }), noticed_at),
        ),
      );
      const failed = synced.find(({ status }) => status === 'rejected');
      if (failed) throw (failed as PromiseRejectedResult).reason;
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
  [REFUND_ORPHAN]: (payload) => sendOrphanRefund(pix, (payload as { end_to_end_id: string }).end_to_end_id),
  [RECONCILE]: () => reconcile(pix),
  [SWEEP]: { queue: 'settlement', run: () => sweep(pix) },
  [SWEEP_REFUNDS]: { queue: 'settlement', run: () => sweepRefunds(pix) },
});

function measure({ metrics }: Pix, fresh: number, noticedAt: string): void {
  if (fresh === 0) return;
  metrics.settlements.inc({ heard_by: noticedAt ? 'notice' : 'reconciliation' }, fresh);
  // Real time, which the sandbox's clock is not.
  if (noticedAt) metrics.settlementSeconds.observe((Date.now() - Number(noticedAt)) / 1000);
}

export const PIX_CRON = [
  { task: RECONCILE, match: '* * * * *' },
  { task: SWEEP, match: '* * * * *' },
  { task: SWEEP_REFUNDS, match: '*/10 * * * *' },
];
