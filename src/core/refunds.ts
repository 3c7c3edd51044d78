import type { Instant } from './day.ts';
import { type Cents, cents } from './money.ts';
import { hereOf, type ReceiptFacts, UNTOUCHED } from './receipts.ts';

/** A refund of ours, under way: so much of a receipt is held for it. */
export type OwnRefund = { readonly id: string; readonly part: number; readonly amount: Cents };

/** Money that went back without our asking: the payer's bank took it (MED), or somebody did it at the PSP's own desk. */
export type Chargeback = { readonly at: Instant; readonly amount: Cents };

/** What is heard of the refunds of one payment. */
export type RefundChanges = {
  /** Refunds the PSP did not carry out: their money is here after all. Given up, it is left for a person to see to. */
  readonly failed: ReadonlyArray<OwnRefund & { readonly isGivenUp: boolean }>;
  readonly chargebacks: readonly Chargeback[];
  /** Refunds that may still be carried out, newest first: the PSP has certainly not heard of these, ... */
  readonly unsent: readonly OwnRefund[];
  /** ... and may have heard of those. */
  readonly sent: readonly OwnRefund[];
};

export type RefundPlan = {
  /** The receipts of the payment as they are from now on, new parts last. */
  readonly receipts: readonly ReceiptFacts[];
  /** Refunds that are not to be carried out any more: what they were to return is gone, or is in another part. */
  readonly superseded: readonly string[];
  /** Where the money is now that a failed or superseded refund did not return. */
  readonly partOf: ReadonlyMap<string, number>;
  /** What was taken beyond what the payment had brought. */
  readonly missing: Cents;
};

type Draft = { -readonly [K in keyof ReceiptFacts]: ReceiptFacts[K] } & { unapplied: number };

/**
 * What becomes of the receipts of a payment when refunds of it fail and chargebacks come. What was never applied leaves
 * first: what is too much, most of all what we had given up to return, then what unsent refunds were to return. Only what is
 * beyond that had paid something: those receipts are reversed, the last first, and what is left of them counts as a new part
 * from then on. Then goes what had become cashback. Refunds the PSP may be at are counted on last. No centavo is made or lost:
 * see refunds.test.ts.
 */
export function planRefunds(
  payment: readonly ReceiptFacts[],
  changes: RefundChanges,
  now: Instant,
): RefundPlan {
  const parts: Draft[] = payment.map((facts) => ({ ...facts, unapplied: facts.stranded }));
  const superseded: string[] = [];
  const partOf = new Map<string, number>();

  const addPart = (amount: number, at: Instant): Draft => {
    const { reference, source } = parts[0]!;
    const counted = { receivedAt: at, amount: cents(amount), purpose: 'pay', pricedOn: null } as const;
    const rest = { ...UNTOUCHED, reversedAt: null, unapplied: 0 };
    parts.push({ reference, part: parts.length, source, ...counted, ...rest });
    return parts.at(-1)!;
  };
  /** In its receipt; where the payer's bank took that, in a part of its own. */
  const release = ({ id, part }: OwnRefund, amount: number, isGivenUp: boolean): void => {
    let to = parts[part]!;
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
        const from = parts[refund.part]!;
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
      // Heard of out of order, it takes what is here all the same, though not before it was here.
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
