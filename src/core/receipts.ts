import { type Applied, type Receipt, replay } from './allocation.ts';
import type { Day, Instant } from './day.ts';
import type { Installment } from './debt.ts';
import { DAY_MS } from './duration.ts';
import { type Cents, cents, sum, ZERO } from './money.ts';

/** A Pix can be refunded for 90 days: the Central Bank's rule. */
export const REFUNDABLE_MS = 90 * DAY_MS;

export const isTooOldToRefund = (arrivedAt: Instant, now: Instant): boolean =>
  now - arrivedAt > REFUNDABLE_MS;

export type Agreed = Omit<Installment, 'events'>;

/** Money that arrived for an installment, as recorded. */
export type ReceiptFacts = {
  /** The sender's name for it, e.g. the end-to-end id. */
  readonly reference: string;
  /**
   * 0: the payment as it arrived. 1, 2, ...: what was left of it after a partial chargeback or return, which counts from then on,
   * or what a person moved to another installment, which counts as of when it arrived.
   */
  readonly part: number;
  /** Its source: a Pix is refunded by Pix, and cashback becomes cashback again. */
  readonly source: 'pix' | 'cashback' | 'manual';
  readonly receivedAt: Instant;
  readonly amount: Cents;
  readonly purpose: 'pay' | 'extend';
  readonly pricedOn: Day | null;
  /** From then on it pays nothing: a chargeback took it, or took a part, and the rest counts as another part. */
  readonly reversedAt: Instant | null;
  /** Refunded by us, or being refunded. */
  readonly refunded: Cents;
  /** Removed without having been applied: by a chargeback, or moved to another part. */
  readonly taken: Cents;
  /** Excess that is not refunded automatically: a person has to handle it. */
  readonly stranded: Cents;
  /** Became cashback, because it could not be refunded. */
  readonly credited: Cents;
  /** What left it at each return: it had paid something until then, and is another part from then on. */
  readonly left: readonly Left[];
};

export type Left = { readonly returnId: string; readonly amount: Cents };

/** The state of money that has just arrived. */
export const UNTOUCHED = {
  refunded: ZERO,
  taken: ZERO,
  stranded: ZERO,
  credited: ZERO,
  left: [],
} as const;

/** Excess of a receipt that is held for a refund from now on. */
export type ToRefund = { readonly reference: string; readonly part: number; readonly amountCents: Cents };

export type Allocation = {
  /** The receipts as given. What is too much is now held for a refund. */
  readonly receipts: ReadonlyArray<{ readonly facts: ReceiptFacts; readonly applied: Applied }>;
  readonly installment: Installment;
  readonly toRefund: readonly ToRefund[];
};

/**
 * Applies all receipts of an installment. Refunded and reversed amounts are left out: only the rest of a receipt is applied.
 * Excess is held for a refund, so later reports cannot apply it to anything.
 */
export function allocateReceipts(agreed: Agreed, facts: readonly ReceiptFacts[]): Allocation {
  const here = facts.filter((receipt) => arrivedOf(receipt) > 0);
  const { applied, installment } = replay(agreed, here.map(toReceipt));
  const results = new Map(here.map((receipt, i) => [receipt, applied[i]!]));
  const toRefund: ToRefund[] = [];
  const receipts = facts.map((receipt) => {
    const { event, excess } = results.get(receipt) ?? NOTHING;
    const held = heldOf(receipt, excess);
    if (held > 0) toRefund.push({ reference: receipt.reference, part: receipt.part, amountCents: held });
    const left = cents(excess - held);
    const isCounted = receipt.reversedAt === null;
    const now = { refunded: cents(receipt.refunded + held), stranded: isCounted ? left : ZERO };
    return { facts: { ...receipt, ...now }, applied: { event, excess: left } };
  });
  return { receipts, installment, toRefund };
}

/** What of a receipt was to be applied when it arrived. */
export function arrivedOf({ amount, refunded, taken, credited }: ReceiptFacts): Cents {
  return cents(amount - refunded - taken - credited);
}

/** What of a receipt is neither being refunded nor gone. */
export function hereOf(facts: ReceiptFacts): Cents {
  return cents(arrivedOf(facts) - leftOf(facts));
}

export function leftOf({ left }: ReceiptFacts): Cents {
  return sum(left.map(({ amount }) => amount));
}

/** A chargeback cannot be refunded, whatever it turns out to have paid for. */
export function heldOf({ source, reversedAt, stranded }: ReceiptFacts, excess: Cents): Cents {
  return source !== 'manual' && reversedAt === null ? cents(Math.max(0, excess - stranded)) : ZERO;
}

/** What of an installment's amount was settled with cashback, discounts for early payment included. */
export function redeemedOf(receipts: Allocation['receipts']): Cents {
  return sum(
    receipts.flatMap(({ facts, applied: { event } }) =>
      facts.source === 'cashback' && facts.reversedAt === null && event?.kind === 'payment'
        ? cents(event.principal + event.discount)
        : [],
    ),
  );
}

const NOTHING: Applied = { event: null, excess: ZERO };

export function toReceipt(facts: ReceiptFacts): Receipt {
  const { receivedAt: at, purpose, pricedOn, reversedAt } = facts;
  return { at, amount: arrivedOf(facts), purpose, ...(pricedOn && { pricedOn }), reversedAt };
}
