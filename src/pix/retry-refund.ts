import { sum } from '#core/money.ts';
import { holdStranded } from '#credit';
import { lockCustomerById } from '#customers';
import type { Tx } from '#platform/db.ts';
import type { Pix } from './pix.ts';
import { requestRefunds } from './request-refunds.ts';
import { findPayment } from './store/payments.ts';
import { findRefund, findRefundById, type RefundRow, type RefundStatus } from './store/refunds.ts';

export type Retried =
  | { kind: 'asked'; amountCents: number }
  | { kind: 'unknown' }
  /** It is under way, or its money was applied or left another way. */
  | { kind: 'not_given_up'; status: RefundStatus };

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
  const { customer_id: customerId, end_to_end_id: reference, part } = refund;
  const { installment_id: installmentId } = (await findPayment(tx, customerId, reference))!;
  const { clock, events } = context;
  const payment = { customerId, installmentId, reference, part };
  const held = await holdStranded(tx, payment, { events, now: clock.now() });
  const retried: RefundRow = { ...refund, status: 'failed', stranded_cents: 0 };
  await requestRefunds(tx, context, customerId, held, [retried]);
  return { kind: 'asked', amountCents: sum(held.toRefund.map(({ amountCents }) => amountCents)) };
}
