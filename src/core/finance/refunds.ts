import type { Instant } from '../values/day.ts';
import { type Cents, cents } from '../values/money.ts';
import { amountStillHeld, NEW_RECEIPT_STATE, type ReceiptFacts } from './receipts.ts';

/** A refund in progress, whose amount is held in the receipt. */
export type PendingRefund = { readonly id: string; readonly part: number; readonly amount: Cents };

/** Money that was returned without our request: a chargeback by the payer's bank (MED), or a refund made directly at the PSP. */
export type Chargeback = { readonly settledAt: Instant; readonly amount: Cents };

export type RefundChanges = {
  /**
   * Refunds that the PSP did not carry out, so we still have the money. If the refund was abandoned, a staff user has to handle it.
   */
  readonly failed: ReadonlyArray<PendingRefund & { readonly isAbandoned: boolean }>;
  readonly chargebacks: readonly Chargeback[];
  /** Open refunds that the PSP certainly has not received, newest first. */
  readonly unsent: readonly PendingRefund[];
  /** Open refunds that the PSP may have received, newest first. */
  readonly sent: readonly PendingRefund[];
};

export type RefundPlan = {
  /** The new state of the payment's receipts, in the order of parts. New parts are last. */
  readonly receipts: readonly ReceiptFacts[];
  /** The ids of refunds that must no longer be carried out, because their money was taken or is in another part. */
  readonly supersededIds: readonly string[];
  /** The part that contains the money of a failed or superseded refund now. */
  readonly partByRefundId: ReadonlyMap<string, number>;
  /** The amount that chargebacks took beyond the payment. */
  readonly shortfall: Cents;
};

/** `unapplied`: the money of the receipt that has never paid an installment and is not being refunded. */
type DraftReceipt = { -readonly [K in keyof ReceiptFacts]: ReceiptFacts[K] } & { unapplied: number };

/**
 * Plans the effect of failed refunds and chargebacks on a payment, whose receipts are its parts. A chargeback first takes money that was never applied:
 * excess, beginning with abandoned refunds, then the amounts that unsent refunds hold. Then it takes applied money: the receipts are
 * reversed, the last first, and the remainder of each is a new part from then on. Next comes money that became cashback. Refunds
 * that the PSP may be carrying out are used last. No centavo is created or lost: see refunds.test.ts.
 */
export function planRefunds(
  receiptsOfPayment: readonly ReceiptFacts[],
  changes: RefundChanges,
  now: Instant,
): RefundPlan {
  const parts: DraftReceipt[] = receiptsOfPayment.map((facts) => ({ ...facts, unapplied: facts.stranded }));
  const supersededIds: string[] = [];
  const partByRefundId = new Map<string, number>();

  // Parts are found by number, not by index: the numbers have gaps if the payment was moved to another installment and back.
  const findPart = (number: number): DraftReceipt => parts.find(({ part }) => part === number)!;
  const addPart = (amount: number, receivedAt: Instant): DraftReceipt => {
    const { reference, source } = parts[0]!;
    const price = { pricedOn: null, waivesPenalties: false };
    const paymentFields = { receivedAt, amount: cents(amount), purpose: 'pay', ...price } as const;
    const initialState = { ...NEW_RECEIPT_STATE, reversedAt: null, unapplied: 0 };
    parts.push({ reference, part: parts.at(-1)!.part + 1, source, ...paymentFields, ...initialState });
    return parts.at(-1)!;
  };
  /** Releases the money of a refund into its receipt, or into a new part if that receipt was reversed. */
  const releaseRefund = (
    { id, part }: PendingRefund,
    amount: number,
    { isAbandoned }: { isAbandoned: boolean },
  ): void => {
    let targetPart = findPart(part);
    targetPart.refunded = cents(targetPart.refunded - amount);
    if (targetPart.reversedAt !== null) {
      targetPart.taken = cents(targetPart.taken + amount);
      targetPart = addPart(amount, now);
    }
    targetPart.unapplied += amount;
    if (isAbandoned) targetPart.stranded = cents(targetPart.stranded + amount);
    partByRefundId.set(id, targetPart.part);
  };

  /** Takes an amount from the money of refunds. Returns the amount that they do not cover. */
  const supersedeRefunds = (refunds: PendingRefund[], amount: number): number => {
    let remaining = amount;
    while (remaining > 0 && refunds.length > 0) {
      const refund = refunds.shift()!;
      const takenAmount = Math.min(remaining, refund.amount);
      const holdingPart = findPart(refund.part);
      holdingPart.refunded = cents(holdingPart.refunded - takenAmount);
      holdingPart.taken = cents(holdingPart.taken + takenAmount);
      remaining -= takenAmount;
      supersededIds.push(refund.id);
      if (takenAmount < refund.amount)
        releaseRefund(refund, refund.amount - takenAmount, { isAbandoned: false });
    }
    return remaining;
  };

  for (const refund of changes.failed)
    releaseRefund(refund, refund.amount, { isAbandoned: refund.isAbandoned });
  const [unsent, sent] = [[...changes.unsent], [...changes.sent]];
  let shortfall = 0;
  for (const { settledAt, amount } of changes.chargebacks.toSorted((a, b) => a.settledAt - b.settledAt)) {
    let remaining: number = amount;
    for (const part of parts.toReversed()) {
      const takenAmount = Math.min(remaining, part.unapplied);
      part.unapplied -= takenAmount;
      part.taken = cents(part.taken + takenAmount);
      part.stranded = cents(Math.max(0, part.stranded - takenAmount));
      remaining -= takenAmount;
    }
    remaining = supersedeRefunds(unsent, remaining);
    let reversedFrom = settledAt;
    for (const part of parts.toReversed()) {
      if (remaining <= 0) break;
      if (part.reversedAt !== null || amountStillHeld(part) === 0) continue;
      // A chargeback reported out of order takes money that arrived later, but not before it arrived.
      reversedFrom = Math.max(reversedFrom, part.receivedAt);
      part.reversedAt = reversedFrom;
      remaining -= amountStillHeld(part);
    }
    // The last reversal took more than the chargeback: the rest is a new part.
    if (remaining < 0) addPart(-remaining, reversedFrom);
    for (const part of parts.toReversed()) {
      const takenAmount = Math.min(Math.max(0, remaining), part.credited);
      part.credited = cents(part.credited - takenAmount);
      part.taken = cents(part.taken + takenAmount);
      remaining -= takenAmount;
    }
    remaining = supersedeRefunds(sent, remaining);
    shortfall += Math.max(0, remaining);
  }
  const receipts = parts.map(({ unapplied: _, ...facts }) => facts);
  return { receipts, supersededIds, partByRefundId, shortfall: cents(shortfall) };
}
