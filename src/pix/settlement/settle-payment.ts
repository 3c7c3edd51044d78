import type { Day } from '#core/values/day.ts';
import { MINUTE_MS } from '#core/values/duration.ts';
import { centsToReais } from '#core/values/money.ts';
import { applyReceipt, type LockedInstallment, loadInstallment, type ReallocationResult } from '#credit';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { runUrgent } from '#platform/jobs/concurrency.ts';
import { clampInstant, type Pix, renderEventTerms, withLockedCustomerInBatch } from '../pix.ts';
import type { ReceivedPix } from '../psp/index.ts';
import { requestRefunds } from '../refunds/request-refunds.ts';
import { syncRefunds } from '../refunds/sync-refunds.ts';
import { type ChargeRow, findCharge } from '../store/charges.ts';
import {
  claimPayment,
  type DiscrepancyKind,
  findPayment,
  insertPaymentAndCancelCharges,
  isRefundOpen,
  listPaymentOwners,
  listRefunds,
  type PaymentOwner,
  type ReportedPayment,
  upsertDiscrepancy,
  wasMovedFrom,
} from '../store/payments.ts';
import { enqueueChargeRemoval } from './cancel-charges.ts';
import { findChargePayments, type PspCharge } from './find-payments.ts';

/** The move that assigned a payment to this charge, and the number of the payment part that it created. */
type MoveReference = { readonly id: string; readonly part: number };

/** A payment in the last second before the expiry may be booked a moment later. */
const BOOKING_GRACE_MS = MINUTE_MS;

/**
 * Settles a payment that the PSP reports, in one transaction: applies it as of its time, exactly once, cancels the other charges
 * of the installment, requests refunds of the excess, and records refunds at the PSP. A payment belongs to the first charge that
 * claims it; for another charge it is a discrepancy. `owner`: the charge that the payment belongs to, if known. Locks the customer first.
 * Returns the number of new payments, 0 or 1.
 */
export async function settlePayment(
  pix: Pix,
  charge: ChargeRow,
  receivedPix: ReceivedPix,
  owner: PaymentOwner | undefined,
): Promise<number> {
  const { endToEndId } = receivedPix;
  let currentCharge = charge;
  let currentOwner = owner;
  for (;;) {
    // After a staff user has moved a payment, the PSP still reports it for its first charge.
    if (
      isOwnedByOther(currentCharge, currentOwner) &&
      (await wasMovedFrom(pix.db, currentCharge, endToEndId))
    )
      currentCharge = (await findCharge(pix.db, currentOwner.customer_id, currentOwner.charge_id))!;
    const outcome = await settleUnlessKnown(pix, currentCharge, receivedPix, currentOwner);
    pix.failpoint('after-settlement');
    if (outcome === 'reused') await recordDiscrepancy(pix, currentCharge, 'end_to_end_id_reused', endToEndId);
    if (outcome !== 'moved_or_claimed') return outcome === 'new' ? 1 : 0;
    [currentOwner] = await listPaymentOwners(pix.db, [endToEndId]);
  }
}

type Settlement =
  | 'new'
  | 'already_settled'
  /** The payment belongs to another charge: a discrepancy. */
  | 'reused'
  /** The payment was moved, or claimed by another charge of the customer, after its owner was read. */
  | 'moved_or_claimed';

async function settleUnlessKnown(
  pix: Pix,
  charge: ChargeRow,
  receivedPix: ReceivedPix,
  owner: PaymentOwner | undefined,
): Promise<Settlement> {
  if (isOwnedByOther(charge, owner)) return 'reused';
  // Most callbacks report known payments, which are recognised without a lock.
  if (owner?.charge_id && (await areRefundsKnown(pix, charge, receivedPix))) return 'already_settled';
  return runUrgent(() => settleInTransaction(pix, charge, receivedPix));
}

type KnownOwner = { readonly customer_id: string; readonly charge_id: string };

const isOwnedByOther = (
  charge: ChargeRow,
  owner: PaymentOwner | undefined,
): owner is PaymentOwner & KnownOwner =>
  Boolean(owner?.customer_id && owner.charge_id && owner.charge_id !== charge.id);

function settleInTransaction(pix: Pix, charge: ChargeRow, receivedPix: ReceivedPix): Promise<Settlement> {
  const { customer_id: customerId, created_at, txid } = charge;
  const { endToEndId, paidAt } = receivedPix;
  const receivedAt = clampInstant(paidAt, { earliest: created_at, now: pix.clock.now() });
  // The amount of a debit is fixed, so the penalties of the days until a retry succeeds cannot be debited.
  const waivesPenalties =
    charge.held_until !== null &&
    pix.autopay.waivesPenalties &&
    !isInTime(receivedAt, charge.held_until) &&
    isInTime(receivedAt, charge.expires_at);
  return withLockedCustomerInBatch(pix, customerId, async (tx) => {
    const payment = toReportedPayment(receivedPix);
    const reallocation = await applyPayment(tx, pix, charge, payment, { receivedAt, waivesPenalties });
    if (!reallocation) {
      const storedPayment = await findPayment(tx, customerId, endToEndId);
      if (!storedPayment) return 'reused';
      if (storedPayment.charge_id !== charge.id || storedPayment.moved_at !== null) return 'moved_or_claimed';
    }
    if (reallocation && receivedAt.getTime() !== paidAt.getTime())
      tx.afterCommit(() =>
        pix.log.warn(
          { txid, end_to_end_id: endToEndId, paid_at: paidAt },
          'the PSP reports a payment before its charge was created, or in the future',
        ),
      );
    await syncRefunds(tx, pix, charge, receivedPix);
    return reallocation ? 'new' : 'already_settled';
  });
}

/** Whether every refund that the PSP reports is stored with that status, so that there is nothing to update. */
async function areRefundsKnown({ db }: Pix, { customer_id }: ChargeRow, receivedPix: ReceivedPix) {
  if (receivedPix.refunds.length === 0) return true;
  const storedRefunds = await listRefunds(db, customer_id, receivedPix.endToEndId);
  return receivedPix.refunds.every((reportedRefund) => {
    const storedRefund = storedRefunds.find(({ id }) => id === reportedRefund.id);
    if (!storedRefund) return reportedRefund.status !== 'returned';
    return !isRefundOpen(storedRefund) || storedRefund.status === reportedRefund.status;
  });
}

/** Converts a payment at the PSP to the columns that are stored of it. */
export const toReportedPayment = ({ endToEndId, amountCents, paidAt }: ReceivedPix): ReportedPayment => ({
  end_to_end_id: endToEndId,
  amount_cents: amountCents,
  paid_at: paidAt,
});

type ApplyOptions = { receivedAt: Date; waivesPenalties?: boolean };

const isInTime = (receivedAt: Date, end: Date): boolean =>
  receivedAt.getTime() <= end.getTime() + BOOKING_GRACE_MS;

/**
 * Applies a payment to a charge as of `receivedAt`. Returns undefined if the payment is claimed already, by this charge or another. The
 * caller must lock the customer first.
 */
export async function applyPayment(
  tx: CustomerTx,
  pix: Pick<Pix, 'clock' | 'events'>,
  charge: ChargeRow,
  reportedPayment: ReportedPayment,
  options: ApplyOptions,
): Promise<ReallocationResult | undefined> {
  const { customer_id: customerId, installment_id: installmentId } = charge;
  // Sent together, so that they take one round trip.
  const [isNew, installment] = await Promise.all([
    claimPayment(tx, charge, reportedPayment.end_to_end_id),
    loadInstallment(tx, { customerId, installmentId }),
  ]);
  return isNew
    ? applyClaimedPayment(tx, pix, charge, reportedPayment, { ...options, installment })
    : undefined;
}

/** Applies a payment that this charge has claimed. `move` is set if the payment belonged to another charge before. */
export async function applyClaimedPayment(
  tx: CustomerTx,
  pix: Pick<Pix, 'clock' | 'events'>,
  charge: ChargeRow,
  reportedPayment: ReportedPayment,
  {
    receivedAt,
    waivesPenalties = false,
    installment,
    move,
  }: ApplyOptions & { installment: LockedInstallment; move?: MoveReference },
): Promise<ReallocationResult> {
  const { customer_id, installment_id, value_cents } = charge;
  const { end_to_end_id: endToEndId, amount_cents: amountCents } = reportedPayment;
  const now = pix.clock.now();
  const context = { events: pix.events, now };
  const ownColumns = { customer_id, installment_id, charge_id: charge.id, recorded_at: now, moved_at: null };
  const payment = { ...reportedPayment, ...ownColumns };
  const isPriceGuaranteed = isInTime(receivedAt, charge.held_until ?? charge.expires_at);
  // A charge that is paid twice extends the installment once.
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
    ...((isPriceGuaranteed || waivesPenalties) && { pricedOn: charge.priced_on as Day, waivesPenalties }),
    ...(move && { move }),
  } as const;
  // Sent together, so that they share round trips.
  const [cancelledChargeCount, reallocation] = await Promise.all([
    insertPaymentAndCancelCharges(tx, payment, { receivedAt, now, isMoved: move !== undefined }),
    applyReceipt(tx, receipt, context, installment),
  ]);
  const data = {
    ...renderEventTerms(charge),
    paid: centsToReais(amountCents),
    paid_at: receivedAt.toISOString(),
    txid: charge.txid,
    end_to_end_id: endToEndId,
  };
  await pix.events.emit(tx, { type: 'pix.paid', customerId: customer_id, data }, now);
  if (cancelledChargeCount > 0) await enqueueChargeRemoval(tx, charge);
  await requestRefunds(tx, customer_id, reallocation, now);
  return reallocation;
}

const LOG_MESSAGES: Record<DiscrepancyKind, string> = {
  paid_without_payment: 'a charge is paid at the PSP, and no payment of it can be found',
  end_to_end_id_reused: 'the PSP has one payment for two charges: it is assigned to the first',
  unreadable_payment: 'the PSP has a payment for a charge that cannot be parsed',
};

/**
 * Records a report of the PSP about a charge that we cannot reconcile. A known discrepancy is not counted or logged again.
 * `endToEndId` is empty if no payment is known.
 */
async function recordDiscrepancy(
  { db, clock, log, metrics }: Pix,
  { customer_id, id, txid, value_cents }: ChargeRow,
  kind: DiscrepancyKind,
  endToEndId = '',
): Promise<void> {
  const isNew = await upsertDiscrepancy(db, {
    customer_id,
    charge_id: id,
    kind,
    end_to_end_id: endToEndId,
    txid,
    value_cents,
    found_at: clock.now(),
  });
  if (!isNew) return;
  metrics.discrepancies.inc({ kind });
  log.error({ txid, end_to_end_id: endToEndId || undefined, kind }, LOG_MESSAGES[kind]);
}

/** Settles the payments of a charge at the PSP, and records discrepancies. Returns the number of new payments. */
export async function settlePayments(
  pix: Pix,
  charge: ChargeRow,
  pspCharge: PspCharge | null,
  endToEndId: string | null = null,
): Promise<number> {
  const payments = await findChargePayments(pix, charge, pspCharge, endToEndId);
  let newPaymentCount = 0;
  for (const receivedPix of payments) {
    const [owner] = await listPaymentOwners(pix.db, [receivedPix.endToEndId]);
    newPaymentCount += await settlePayment(pix, charge, receivedPix, owner);
  }
  for (const { endToEndId: id } of pspCharge?.unreadablePix ?? []) {
    const isSettled = payments.some((payment) => payment.endToEndId === id);
    if (isSettled) continue;
    const [owner] = id === null ? [] : await listPaymentOwners(pix.db, [id]);
    if (owner?.charge_id !== charge.id)
      await recordDiscrepancy(pix, charge, 'unreadable_payment', id ?? undefined);
  }
  if (pspCharge?.status === 'paid' && payments.length === 0 && charge.status !== 'paid')
    await recordDiscrepancy(pix, charge, 'paid_without_payment');
  return newPaymentCount;
}
