import type { Reallocated } from '#credit';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { randomBase62 } from '#platform/ids.ts';
import { enqueue } from '#platform/jobs/jobs.ts';
import type { Pix } from '../pix.ts';
import { markStranded, type RefundRow, writeRefunds } from '../store/refunds.ts';
import { REFUND_ATTEMPTS, refundJob } from '../tasks.ts';

const REFUND_ID_LENGTH = 32;

/** Which try it is to return that money, and how long from now. */
export type RefundAttempt = { readonly tries: number; readonly delayMs: number };

export const FIRST: RefundAttempt = { tries: 1, delayMs: 0 };

/**
 * Money moved: writes down what is to go back, before the PSP is asked, together with what else has changed in refunds. Jobs
 * ask the PSP when this is committed. `attemptOf` says which try it is; the first unless told.
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
      id: randomBase62(REFUND_ID_LENGTH),
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
