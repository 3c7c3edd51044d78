import type { ReallocationResult } from '#credit';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { randomBase62 } from '#platform/ids.ts';
import { enqueue } from '#platform/jobs/jobs.ts';
import type { Pix } from '../pix.ts';
import { type RefundRow, reduceStranded, upsertRefunds } from '../store/refunds.ts';
import { createRefundJob, REFUND_ATTEMPTS } from '../tasks.ts';

export const newRefundId = (): string => randomBase62(32);

export type RefundAttempt = { readonly attemptNumber: number; readonly delayMs: number };

export const FIRST_ATTEMPT: RefundAttempt = { attemptNumber: 1, delayMs: 0 };

/**
 * Inserts the refunds that a reallocation requires, together with other changed refunds, before the PSP is called. Jobs call the
 * PSP after the commit. `computeAttempt` returns the attempt number and the delay of a refund; by default it is the first
 * attempt.
 */
export async function requestRefunds(
  tx: CustomerTx,
  { clock }: Pick<Pix, 'clock'>,
  customerId: string,
  { toRefund, stranded }: ReallocationResult,
  changed: readonly RefundRow[] = [],
  computeAttempt: (money: { reference: string; part: number }) => RefundAttempt = () => FIRST_ATTEMPT,
): Promise<void> {
  const now = clock.now();
  for (const { reference, part, amountCents } of stranded)
    await reduceStranded(tx, { customer_id: customerId, end_to_end_id: reference, part }, amountCents);
  const requested = toRefund.map((money) => {
    const { attemptNumber, delayMs } = computeAttempt(money);
    const refund: Omit<RefundRow, 'customer_id'> = {
      end_to_end_id: money.reference,
      id: newRefundId(),
      part: money.part,
      amount_cents: money.amountCents,
      forced: false,
      status: 'asked',
      tries: attemptNumber,
      reason: null,
      stranded_cents: 0,
      created_at: now,
      due_at: new Date(now.getTime() + delayMs),
      settled_at: null,
    };
    return { refund, delayMs };
  });
  await upsertRefunds(tx, customerId, [...changed, ...requested.map(({ refund }) => refund)]);
  for (const { refund, delayMs } of requested) {
    const { task, payload, key } = createRefundJob({ ...refund, customer_id: customerId });
    await enqueue(tx, task, payload, REFUND_ATTEMPTS, { key, delayMs });
  }
}
