import type { Instant } from './day.ts';
import { type Cents, cents } from './money.ts';
import { hereOf, type ReceiptFacts, UNTOUCHED } from './receipts.ts';

/** A refund of ours in progress: its amount is held in the receipt. */
export type OwnRefund = { readonly id: string; readonly part: number; readonly amount: Cents };

/** Money that went back without our request: a chargeback by the payer's bank (MED), or a refund made directly at the PSP. */
export type Chargeback = { readonly at: Instant; readonly amount: Cents };

/** Reports about the refunds of one payment. */
export type RefundChanges = {
  /**
   * Refunds that the PSP did not carry out: their money is still here. If the refund was abandoned, a person has to handle it.
   */
  readonly failed: ReadonlyArray<OwnRefund & { readonly isGivenUp: boolean }>;
  readonly chargebacks: readonly Chargeback[];
  /** Open refunds, newest first: those that the PSP certainly has not received, ... */
  readonly unsent: readonly OwnRefund[];
  /** ... and those that it may have received. */
  readonly sent: readonly OwnRefund[];
};

export type RefundPlan = {
  /** The new state of the payment's receipts, by part, new ones last. */
  readonly receipts: readonly ReceiptFacts[];
  /** Refunds that must not be carried out any more: their money is gone, or is in another part. */
  readonly superseded: readonly string[];
  /** Where the money of a failed or superseded refund is now. */
  readonly partOf: ReadonlyMap<string, number>;
  /** What chargebacks took beyond the amount of the payment. */
  readonly missing: Cents;
};

type Draft = { -readonly [K in keyof ReceiptFacts]: ReceiptFacts[K] } & { unapplied: number };

/**
 * The effect of failed refunds and of chargebacks on the receipts of a payment. A chargeback first takes what was never applied:
 * excess, beginning with what we had given up refunding, then what unsent refunds hold. Only what is beyond that had paid
 * something: those receipts are reversed, the last first, and the rest of each counts as a new part from then on. Then goes what
 * had become cashback. Refunds that the PSP may be carrying out are used last. No centavo is created or lost: see
 * refunds.test.ts.
 */
export function planRefunds(
  payment: readonly ReceiptFacts[],
  changes: RefundChanges,
  now: Instant,
): RefundPlan {
  const parts: Draft[] = payment.map((facts) => ({ ...facts, unapplied: facts.stranded }));
  const superseded: string[] = [];
  const partOf = new Map<string, number>();

  // Numbers have gaps where the payment was moved to another installment and back.
  const partAt = (number: number): Draft => parts.find(({ part }) => part === number)!;
  const addPart = (amount: number, at: Instant): Draft => {
    const { reference, source } = parts[0]!;
    const counted = { receivedAt: at, amount: cents(amount), purpose: 'pay', pricedOn: null } as const;
    const rest = { ...UNTOUCHED, reversedAt: null, unapplied: 0 };
    parts.push({ reference, part: parts.at(-1)!.part + 1, source, ...counted, ...rest });
    return parts.at(-1)!;
  };
  /** In its receipt, or in a new part if that receipt was reversed. */
  const release = ({ id, part }: OwnRefund, amount: number, isGivenUp: boolean): void => {
    let to = partAt(part);
    to.refunded = cents(to.refunded - amount);
    if (to.reversedAt !== null) {
      to.taken = cents(to.taken + amount);
      to = addPart(amount, now);
    }
    to.unapplied += amount;
    if (isGivenUp) to.stranded = cents(to.stranded + amount);
    partOf.set(id, to.part);
  };

  for (const refund of changes.failed) release(refund, refund.amount, refund.isGivenUp);
  const [unsent, sent] = [[...changes.unsent], [...changes.sent]];
  let missing = 0;
  for (const { at, amount } of changes.chargebacks.toSorted((a, b) => a.at - b.at)) {
    let left: number = amount;
    for (const part of parts.toReversed()) {
      const taken = Math.min(left, part.unapplied);
      part.unapplied -= taken;
      part.taken = cents(part.taken + taken);
      part.stranded = cents(Math.max(0, part.stranded - taken));
      left -= taken;
    }
    const supersede = (refunds: OwnRefund[]): void => {
      while (left > 0 && refunds.length > 0) {
        const refund = refunds.shift()!;
        const taken = Math.min(left, refund.amount);
        const from = partAt(refund.part);
        from.refunded = cents(from.refunded - taken);
        from.taken = cents(from.taken + taken);
        left -= taken;
        superseded.push(refund.id);
        if (taken < refund.amount) release(refund, refund.amount - taken, false);
      }
    };
    supersede(unsent);
    let since = at;
    for (const part of parts.toReversed()) {
      if (left <= 0) break;
      if (part.reversedAt !== null || hereOf(part) === 0) continue;
      // Reported out of order, it takes what is here, but not before that arrived.
      since = Math.max(since, part.receivedAt);
      part.reversedAt = since;
      left -= hereOf(part);
    }
    if (left < 0) addPart(-left, since);
    for (const part of parts.toReversed()) {
      const taken = Math.min(Math.max(0, left), part.credited);
      part.credited = cents(part.credited - taken);
      part.taken = cents(part.taken + taken);
      left -= taken;
    }
    supersede(sent);
    missing += Math.max(0, left);
  }
  const receipts = parts.map(({ unapplied: _, ...facts }) => facts);
  return { receipts, superseded, partOf, missing: cents(missing) };
}
