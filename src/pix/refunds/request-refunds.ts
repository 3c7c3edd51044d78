import type { Reallocated } from '#credit';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { randomBase62 } from '#platform/ids.ts';
import { enqueue } from '#platform/jobs/jobs.ts';
import type { Pix } from '../pix.ts';
import { markStranded, type RefundRow, writeRefunds } from '../store/refunds.ts';
import { REFUND_ATTEMPTS, refundJob } from '../tasks.ts';

export const newRefundId = (): string => randomBase62(32);

export type RefundAttempt = { readonly tries: number; readonly delayMs: number };

export const FIRST: RefundAttempt = { tries: 1, delayMs: 0 };

/**
 * Records what is to be refunded, before the PSP is asked, together with other changes of refunds. Jobs call the PSP after the
 * commit. `attemptOf` gives the number of the attempt; by default the first.
 */
export async function requestRefunds(
  tx: CustomerTx,
  { clock }: Pick<Pix, 'clock'>,
  customerId: string,
  { toRefund, stranded }: Reallocated,
  changed: readonly RefundRow[] = [],
  attemptOf: (money: { reference: string; part: number }) => RefundAttempt = () => FIRST,
): Promise<void> {
  const now = clock.now();
  for (const { reference, part, amountCents } of stranded)
    await markStranded(tx, { customer_id: customerId, end_to_end_id: reference, part }, amountCents);
  const asked = toRefund.map((money) => {
    const { tries, delayMs } = attemptOf(money);
    const refund: Omit<RefundRow, 'customer_id'> = {
      end_to_end_id: money.reference,
      id: newRefundId(),
      part: money.part,
      amount_cents: money.amountCents,
      forced: false,
      status: 'asked',
      tries,
      reason: null,
      stranded_cents: 0,
      created_at: now,
      due_at: new Date(now.getTime() + delayMs),
      settled_at: null,
    };
    return { refund, delayMs };
  });
  await writeRefunds(tx, customerId, [...changed, ...asked.map(({ refund }) => refund)]);
  for (const { refund, delayMs } of asked) {
    const { task, payload, key } = refundJob({ ...refund, customer_id: customerId });
    await enqueue(tx, task, payload, REFUND_ATTEMPTS, { key, delayMs });
  }
}
