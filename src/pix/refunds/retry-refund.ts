import type { Static } from 'typebox';
import { sum } from '#core/money.ts';
import { holdStranded } from '#credit';
import { lockCustomerById } from '#customers';
import { type CustomerTx, customerTransaction } from '#platform/database/customer-transaction.ts';
import type { Db } from '#platform/database/db.ts';
import { type Change, recordChange, type Subject } from '#platform/privacy/trail.ts';
import type { Pix } from '../pix.ts';
import { refundNotGivenUp } from '../problems.ts';
import type { PixRefund } from '../schemas.ts';
import { findPayment } from '../store/payments.ts';
import { findRefund, findRefundById, type RefundRow } from '../store/refunds.ts';
import { renderRefund } from './render-refund.ts';
import { requestRefunds } from './request-refunds.ts';

/** With its customer locked. */
const refundSubject: Subject<Static<typeof PixRefund>, CustomerTx> = {
  kind: 'pix_refund',
  async read(tx, id) {
    const named = await findRefundById(tx, id);
    if (!named) return undefined;
    await lockCustomerById(tx, named.customer_id);
    return renderRefund((await findRefund(tx, named))!);
  },
};

/**
 * Refunds abandoned money again, as another refund with a new retry budget. Returns the amount. The customer is locked by {@link
 * refundSubject}.
 */
async function retryRefund(
  tx: CustomerTx,
  context: Pick<Pix, 'events' | 'clock'>,
  id: string,
): Promise<number> {
  const refund = (await findRefund(tx, (await findRefundById(tx, id))!))!;
  if (refund.status !== 'given_up') throw refundNotGivenUp(id, refund.status);
  const { customer_id: customerId, end_to_end_id: reference, part } = refund;
  const { installment_id: installmentId } = (await findPayment(tx, customerId, reference))!;
  const { clock, events } = context;
  const payment = { customerId, installmentId, reference, part };
  const held = await holdStranded(tx, payment, { events, now: clock.now() });
  const retried: RefundRow = { ...refund, status: 'failed', stranded_cents: 0 };
  await requestRefunds(tx, context, customerId, held, [retried]);
  return sum(held.toRefund.map(({ amountCents }) => amountCents));
}

/** Retries it and records the author. Undefined: no refund of ours has this id. */
export async function retryRecorded(
  db: Db,
  context: Pick<Pix, 'events' | 'clock'>,
  id: string,
  change: Change,
): Promise<{ refund: Static<typeof PixRefund>; askedCents: number } | undefined> {
  const named = await findRefundById(db, id);
  if (!named) return undefined;
  return customerTransaction(db, named.customer_id, async (tx) => {
    let askedCents = 0;
    const refund = await recordChange(tx, change, { of: refundSubject, id }, async () => {
      askedCents = await retryRefund(tx, context, id);
    });
    return refund && { refund, askedCents };
  });
}
