import type { Day } from '#core/day.ts';
import { toReais } from '#core/money.ts';
import { applyReceipt, type LockedInstallment, type Reallocated, readInstallment } from '#credit';
import { lockCustomerById } from '#customers';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { sharedTransaction } from '#platform/database/shared-transaction.ts';
import { urgently } from '#platform/jobs/urgent.ts';
import { enqueueRemoval } from '../charges/cancel-charges.ts';
import { chargeTerms } from '../charges/charge-events.ts';
import type { Pix } from '../pix.ts';
import type { ReceivedPix } from '../psp/index.ts';
import { requestRefunds } from '../refunds/request-refunds.ts';
import { syncRefunds } from '../refunds/sync-refunds.ts';
import { type ChargeRow, findCharge } from '../store/charges.ts';
import { claimPayment, findPayment, insertPayment, type PaymentOwner } from '../store/payments.ts';
import { listRefunds } from '../store/refunds.ts';
import { plausible } from './arrival.ts';

/** What is paid in the last second may be booked a moment later. */
const GRACE_MS = 60_000;

/**
 * What the PSP says of a payment becomes ours in one transaction: the money is applied as of its time, exactly once, other
 * charges of the installment are cancelled, what is too much is on its way back, and what has gone back is known. A payment counts
 * for one charge, whichever was first. `owner`: for which it counts, when that was looked up; `reused`: for another. Locks: the
 * customer, then everything else.
 */
export async function settlePayment(
  pix: Pix,
  charge: ChargeRow,
  received: ReceivedPix,
  owner: PaymentOwner | undefined,
): Promise<'new' | 'known' | 'reused'> {
  const { customer_id: customerId, installment_id: installmentId } = charge;
  if (owner && owner.charge_id !== null) {
    if (owner.charge_id !== charge.id) return 'reused';
    // Most notices come for what is known by now; they cost no lock.
    if (await areRefundsKnown(pix, charge, received)) return 'known';
  }
  return urgently(() =>
    sharedTransaction(pix.db, customerId, async (tx) => {
      const [, isNew, installment] = await Promise.all([
        lockCustomerById(tx, customerId),
        claimPayment(tx, charge, received.endToEndId),
        readInstallment(tx, { customerId, installmentId }),
      ]);
      if (isNew)
        await applyPayment(tx, pix, charge, received, arrival(tx, pix, charge, received), installment);
      else if (!(await findPayment(tx, customerId, received.endToEndId))) return 'reused';
      await syncRefunds(tx, pix, charge, received);
      return isNew ? 'new' : 'known';
    }),
  );
}

async function areRefundsKnown(
  { db }: Pix,
  { customer_id }: ChargeRow,
  received: ReceivedPix,
): Promise<boolean> {
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
  tx: CustomerTx,
  pix: Pick<Pix, 'clock' | 'events'>,
  charge: ChargeRow,
  received: Pick<ReceivedPix, 'endToEndId' | 'amountCents' | 'paidAt'>,
  receivedAt: Date,
  installment: LockedInstallment,
): Promise<Reallocated> {
  const { customer_id, installment_id, value_cents } = charge;
  const { endToEndId, amountCents, paidAt } = received;
  const now = pix.clock.now();
  const context = { events: pix.events, now };
  const payment = {
    customer_id,
    installment_id,
    charge_id: charge.id,
    end_to_end_id: endToEndId,
    amount_cents: amountCents,
    paid_at: paidAt,
    recorded_at: now,
  };
  const isHeld = receivedAt.getTime() <= charge.expires_at.getTime() + GRACE_MS;
  // Paid twice, it extends once.
  const isExtension =
    charge.type === 'extend' &&
    amountCents === value_cents &&
    (await findCharge(tx, customer_id, charge.id))?.status !== 'paid';
  const receipt = {
    customerId: customer_id,
    installmentId: installment_id,
    reference: endToEndId,
    source: 'pix' as const,
    receivedAt,
    amountCents,
    purpose: isExtension ? 'extend' : 'pay',
    ...(isHeld && { pricedOn: charge.priced_on as Day }),
  } as const;
  const [cancelled, applied] = await Promise.all([
    insertPayment(tx, payment, { receivedAt, now }),
    applyReceipt(tx, receipt, context, installment),
  ]);
  const data = {
    ...chargeTerms(charge),
    paid: toReais(amountCents),
    paid_at: receivedAt.toISOString(),
    txid: charge.txid,
    end_to_end_id: endToEndId,
  };
  await pix.events.emit(tx, { type: 'pix.paid', customerId: customer_id, data }, now);
  if (cancelled > 0) await enqueueRemoval(tx, charge);
  await requestRefunds(tx, pix, customer_id, applied);
  return applied;
}

/** No day counts that would have been cheaper, or dearer. */
function arrival(
  tx: CustomerTx,
  { log, clock }: Pix,
  { created_at, txid }: ChargeRow,
  { paidAt, endToEndId }: ReceivedPix,
): Date {
  const at = plausible(paidAt, { earliest: created_at, now: clock.now() });
  if (at !== paidAt)
    tx.afterCommit(() =>
      log.warn(
        { txid, end_to_end_id: endToEndId, paid_at: paidAt },
        'the PSP says it was paid before it was made, or later than now',
      ),
    );
  return at;
}
