import { holdRefund, type ToRefund } from '#credit';
import type { Tx } from '#platform/db.ts';
import { randomBase62 } from '#platform/ids.ts';
import { enqueue } from '#platform/jobs.ts';
import type { Pix } from './pix.ts';
import { listPaymentsOfReceipts, paymentOfReceipt } from './store/payments.ts';
import { insertRefund, markRetried } from './store/refunds.ts';
import { REFUND, REFUND_ATTEMPTS, refundKey } from './tasks.ts';

const REFUND_ID_LENGTH = 32;

/**
 * Writes down what is to go back, before the PSP is asked: from here on that money is applied to nothing. A job asks the PSP
 * when this is committed. Receipts that did not come by Pix are left for the operator.
 */
export async function refundExcess(
  tx: Tx,
  { events, clock }: Pick<Pix, 'events' | 'clock'>,
  { customer_id, installment_id }: { customer_id: string; installment_id: string },
  toRefund: readonly ToRefund[],
  { tries = 1, delayMs = 0 }: { tries?: number; delayMs?: number } = {},
): Promise<void> {
  if (toRefund.length === 0) return;
  const now = clock.now();
  const receipts = toRefund.map(({ reference }) => reference);
  const payments = await listPaymentsOfReceipts(tx, customer_id, receipts);
  for (const { reference, amountCents } of toRefund) {
    const payment = payments.find((known) => known.end_to_end_id === paymentOfReceipt(reference));
    if (!payment) continue;
    const { end_to_end_id } = payment;
    const id = randomBase62(REFUND_ID_LENGTH);
    await markRetried(tx, { customer_id, end_to_end_id, receipt: reference });
    await insertRefund(tx, {
      ...{ customer_id, end_to_end_id, id, receipt: reference, amount_cents: amountCents, tries },
      ...{
        forced: false,
        status: 'asked',
        reason: null,
        created_at: now,
        due_at: new Date(now.getTime() + delayMs),
        settled_at: null,
      },
    });
    await holdRefund(
      tx,
      { customerId: customer_id, installmentId: installment_id, reference, refundId: id, amountCents },
      { events, now },
    );
    const payload = { customer_id, end_to_end_id, id };
    await enqueue(tx, REFUND, payload, REFUND_ATTEMPTS, { key: refundKey(id), delayMs });
  }
}
