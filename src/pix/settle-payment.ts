import type { Day } from '#core/day.ts';
import { toReais } from '#core/money.ts';
import { applyReceipt, type Reallocated } from '#credit';
import { lockCustomerById } from '#customers';
import { customerTransaction } from '#platform/customer-transaction.ts';
import type { Tx } from '#platform/db.ts';
import { cancelOtherCharges } from './cancel-charges.ts';
import { chargeTerms } from './charge-events.ts';
import type { Pix } from './pix.ts';
import type { ReceivedPix } from './psp/index.ts';
import { requestRefunds } from './request-refunds.ts';
import { type ChargeRow, markPaid } from './store/charges.ts';
import { findPayment, insertPayment } from './store/payments.ts';
import { listRefunds } from './store/refunds.ts';
import { syncRefunds } from './sync-refunds.ts';

/** What is paid in the last second may be booked a moment later. */
const GRACE_MS = 60_000;

/**
 * What the PSP says of a payment becomes ours in one transaction: the money is applied as of its time, exactly once, other
 * charges of the installment are cancelled, what is too much is on its way back, and what has gone back is known. Says
 * whether the payment was new. Locks: the customer, then everything else.
 */
export async function settlePayment(pix: Pix, charge: ChargeRow, received: ReceivedPix): Promise<boolean> {
  if (await isAllKnown(pix, charge, received)) return false;
  return customerTransaction(pix.db, charge.customer_id, async (tx) => {
    await lockCustomerById(tx, charge.customer_id);
    const known = await findPayment(tx, charge.customer_id, received.endToEndId);
    if (!known) await applyPayment(tx, pix, charge, received, arrival(pix, charge, received));
    await syncRefunds(tx, pix, charge, received);
    return !known;
  });
}

/** Most notices come for what is known by now; they cost no lock. */
async function isAllKnown({ db }: Pix, { customer_id }: ChargeRow, received: ReceivedPix): Promise<boolean> {
  if (!(await findPayment(db, customer_id, received.endToEndId))) return false;
  if (received.refunds.length === 0) return true;
  const known = await listRefunds(db, customer_id, received.endToEndId);
  return received.refunds.every(({ id, status }) => {
    const ours = known.find((refund) => refund.id === id);
    if (!ours) return status !== 'returned';
    return !['asked', 'processing'].includes(ours.status) || ours.status === status;
  });
}

/** Money arrived for a charge, at that instant. The caller has locked the customer. */
export async function applyPayment(
  tx: Tx,
  pix: Pick<Pix, 'clock' | 'events'>,
  charge: ChargeRow,
  received: Pick<ReceivedPix, 'endToEndId' | 'amountCents' | 'paidAt'>,
  receivedAt: Date,
): Promise<Reallocated> {
  const { customer_id, installment_id, value_cents } = charge;
  const { endToEndId, amountCents, paidAt } = received;
  const now = pix.clock.now();
  const context = { events: pix.events, now };
  await insertPayment(tx, {
    ...{ customer_id, installment_id, charge_id: charge.id, end_to_end_id: endToEndId },
    ...{ amount_cents: amountCents, paid_at: paidAt, recorded_at: now },
  });
  const isHeld = receivedAt.getTime() <= charge.expires_at.getTime() + GRACE_MS;
  const applied = await applyReceipt(
    tx,
    {
      ...{ customerId: customer_id, installmentId: installment_id, reference: endToEndId },
      ...{ source: 'pix', receivedAt, amountCents },
      purpose: charge.type === 'extend' && amountCents === value_cents ? 'extend' : 'pay',
      ...(isHeld && { pricedOn: charge.priced_on as Day }),
    },
    context,
  );
  await markPaid(tx, charge, receivedAt);
  const data = {
    ...chargeTerms(charge),
    paid: toReais(amountCents),
    paid_at: receivedAt.toISOString(),
    txid: charge.txid,
    end_to_end_id: endToEndId,
  };
  await pix.events.emit(tx, { type: 'pix.paid', customerId: customer_id, data }, now);
  // What they ask for is no longer what is owed.
  await cancelOtherCharges(tx, charge, { now });
  await requestRefunds(tx, pix, customer_id, applied);
  return applied;
}

/** When the PSP says it arrived; but no money arrives before it was asked for, whatever day would have been cheaper. */
function arrival({ log }: Pix, { created_at, txid }: ChargeRow, { paidAt, endToEndId }: ReceivedPix): Date {
  if (paidAt >= created_at) return paidAt;
  log.warn(
    { txid, end_to_end_id: endToEndId, paid_at: paidAt },
    'the PSP says it was paid before it was made',
  );
  return created_at;
}
