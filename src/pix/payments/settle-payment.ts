import type { Day } from '#core/day.ts';
import { toReais } from '#core/money.ts';
import { applyReceipt, type LockedInstallment, type Reallocated, readInstallment } from '#credit';
import { lockCustomerById } from '#customers';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { sharedTransaction } from '#platform/database/shared-transaction.ts';
import { urgently } from '#platform/jobs/urgent.ts';
import { plausible } from '../arrival.ts';
import { chargeTerms } from '../charge-events.ts';
import type { Pix } from '../pix.ts';
import type { ReceivedPix } from '../psp/index.ts';
import { requestRefunds } from '../refunds/request-refunds.ts';
import { syncRefunds } from '../refunds/sync-refunds.ts';
import { type ChargeRow, findCharge } from '../store/charges.ts';
import { wasMovedFrom } from '../store/moves.ts';
import {
  claimPayment,
  findPayment,
  insertPayment,
  listPaymentOwners,
  type PaymentOwner,
} from '../store/payments.ts';
import { listRefunds } from '../store/refunds.ts';
import { enqueueRemoval } from './cancel-charges.ts';
import { recordDiscrepancy } from './record-discrepancy.ts';

/** The move by which a payment counts here, and the part of its money that it is. */
type Moved = { readonly id: string; readonly part: number };

/** A payment in the last second may be booked a moment later. */
const GRACE_MS = 60_000;

/**
 * Settles a payment that the PSP reports, in one transaction: applies the money as of its time, exactly once, cancels other
 * charges of the installment, requests refunds of the excess, and records what was refunded. A payment counts for one charge, the
 * first one; for another it is a discrepancy. `owner`: the charge it counts for, if known. Returns how many payments were new:
 * one or none. Locks: the customer, then everything else.
 */
export async function settlePayment(
  pix: Pix,
  charge: ChargeRow,
  received: ReceivedPix,
  owner: PaymentOwner | undefined,
): Promise<number> {
  let outcome: Settlement;
  if (owner?.customer_id && owner.charge_id && owner.charge_id !== charge.id) {
    if (await wasMovedFrom(pix.db, charge, received.endToEndId)) {
      const holder = (await findCharge(pix.db, owner.customer_id, owner.charge_id))!;
      return settlePayment(pix, holder, received, owner);
    }
    outcome = 'reused';
  }
  // Most notices are about known payments; they take no lock.
  else if (owner?.charge_id && (await areRefundsKnown(pix, charge, received))) outcome = 'known';
  else outcome = await urgently(() => settle(pix, charge, received));
  pix.crash('after-settlement');
  if (outcome === 'elsewhere') {
    const [now] = await listPaymentOwners(pix.db, [received.endToEndId]);
    return settlePayment(pix, charge, received, now);
  }
  if (outcome === 'reused') await recordDiscrepancy(pix, charge, 'end_to_end_id_reused', received.endToEndId);
  return outcome === 'new' ? 1 : 0;
}

/** `elsewhere`: it was moved, or claimed for another charge of the customer, since its owner was read. */
type Settlement = 'new' | 'known' | 'reused' | 'elsewhere';

function settle(pix: Pix, charge: ChargeRow, received: ReceivedPix): Promise<Settlement> {
  const { customer_id: customerId, created_at, txid } = charge;
  const { endToEndId, paidAt } = received;
  const receivedAt = plausible(paidAt, { earliest: created_at, now: pix.clock.now() });
  return sharedTransaction(pix.db, customerId, async (tx) => {
    const [, applied] = await Promise.all([
      lockCustomerById(tx, customerId),
      applyPayment(tx, pix, charge, received, receivedAt),
    ]);
    if (!applied) {
      const payment = await findPayment(tx, customerId, endToEndId);
      if (!payment) return 'reused';
      if (payment.charge_id !== charge.id || payment.moved_at !== null) return 'elsewhere';
    }
    if (applied && receivedAt !== paidAt)
      tx.afterCommit(() =>
        pix.log.warn(
          { txid, end_to_end_id: endToEndId, paid_at: paidAt },
          'the PSP says it was paid before it was made, or later than now',
        ),
      );
    await syncRefunds(tx, pix, charge, received);
    return applied ? 'new' : 'known';
  });
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

/**
 * Applies money that arrived for a charge at that instant. Undefined when the payment counts already, for this charge or another.
 * The caller locks the customer first, or in the same round trip.
 */
export async function applyPayment(
  tx: CustomerTx,
  pix: Pick<Pix, 'clock' | 'events'>,
  charge: ChargeRow,
  received: Pick<ReceivedPix, 'endToEndId' | 'amountCents' | 'paidAt'>,
  receivedAt: Date,
): Promise<Reallocated | undefined> {
  const { customer_id: customerId, installment_id: installmentId } = charge;
  const [isNew, installment] = await Promise.all([
    claimPayment(tx, charge, received.endToEndId),
    readInstallment(tx, { customerId, installmentId }),
  ]);
  return isNew ? applyClaimed(tx, pix, charge, received, { receivedAt, installment }) : undefined;
}

/** The same for a payment that is claimed. `move`: it counted for another charge before. */
export async function applyClaimed(
  tx: CustomerTx,
  pix: Pick<Pix, 'clock' | 'events'>,
  charge: ChargeRow,
  received: Pick<ReceivedPix, 'endToEndId' | 'amountCents' | 'paidAt'>,
  { receivedAt, installment, move }: { receivedAt: Date; installment: LockedInstallment; move?: Moved },
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
    moved_at: null,
  };
  const isHeld = receivedAt.getTime() <= (charge.held_until ?? charge.expires_at).getTime() + GRACE_MS;
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
    ...(move && { move }),
  } as const;
  const [cancelled, applied] = await Promise.all([
    insertPayment(tx, payment, { receivedAt, now, isMoved: move !== undefined }),
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
