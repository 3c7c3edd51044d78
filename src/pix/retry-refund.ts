import { lockCustomerById } from '#customers';
import type { Tx } from '#platform/db.ts';
import type { Pix } from './pix.ts';
import { refundExcess } from './refund-excess.ts';
import { findPayment } from './store/payments.ts';
import { findRefund, findRefundById, findStrandedReceipt, type RefundStatus } from './store/refunds.ts';

export type Retried =
  | { kind: 'asked'; amountCents: number }
  | { kind: 'unknown' }
  | { kind: 'not_given_up'; status: RefundStatus }
  /** It was applied, or went back another way. */
  | { kind: 'gone' };

/** Money that we had given up to return is asked for anew, as another refund, and tried as often as the first. */
export async function retryRefund(
  tx: Tx,
  context: Pick<Pix, 'events' | 'clock'>,
  id: string,
): Promise<Retried> {
  const named = await findRefundById(tx, id);
  if (!named) return { kind: 'unknown' };
  await lockCustomerById(tx, named.customer_id);
  const refund = (await findRefund(tx, named))!;
  if (refund.status !== 'given_up') return { kind: 'not_given_up', status: refund.status };
  const stranded = await findStrandedReceipt(tx, refund);
  if (!stranded) return { kind: 'gone' };
  const payment = (await findPayment(tx, refund.customer_id, refund.end_to_end_id))!;
  const { reference, excess_cents: amountCents } = stranded;
  await refundExcess(tx, context, payment, [{ reference, amountCents }]);
  return { kind: 'asked', amountCents };
}
