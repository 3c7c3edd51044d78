import { applyReceipt, releaseRefund, type ToRefund } from '#credit';
import type { Tx } from '#platform/db.ts';
import type { Pix } from './pix.ts';
import type { ChargeRow } from './store/charges.ts';
import { isReversed, remainderReference } from './store/payments.ts';
import type { RefundRow } from './store/refunds.ts';

/**
 * Money that was to go back with a refund does not: it is here after all. Answers what of it is too much even now. Where the
 * payer's bank took the receipt it was a part of, it becomes one of its own.
 */
export async function releaseRefundedMoney(
  tx: Tx,
  pix: Pix,
  charge: ChargeRow,
  { id: refundId, receipt: reference, end_to_end_id }: RefundRow,
  amountCents: number,
): Promise<ToRefund[]> {
  const { customer_id: customerId, installment_id: installmentId } = charge;
  const now = pix.clock.now();
  const held = { customerId, installmentId, reference, refundId, amountCents };
  const toRefund = await releaseRefund(tx, held, { events: pix.events, now });
  if (!(await isReversed(tx, customerId, reference)))
    return toRefund.filter((excess) => excess.reference === reference);
  const rest = remainderReference(end_to_end_id, refundId);
  return applyRemainder(tx, pix, charge, { reference: rest, amountCents, at: now });
}

/** What is left of a payment of which the bank took something pays again. Answers what of it is too much. */
export async function applyRemainder(
  tx: Tx,
  { events, clock }: Pix,
  { customer_id: customerId, installment_id: installmentId }: ChargeRow,
  { reference, amountCents, at }: { reference: string; amountCents: number; at: Date },
): Promise<ToRefund[]> {
  const place = { customerId, installmentId, reference };
  const received = { ...place, amountCents, receivedAt: at, purpose: 'pay' } as const;
  const { toRefund } = await applyReceipt(tx, received, { events, now: clock.now() });
  return toRefund.filter((excess) => excess.reference === reference);
}
