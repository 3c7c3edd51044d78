import { type Applied, type Receipt, replay } from './allocation.ts';
import type { Day, Instant } from './day.ts';
import type { Installment } from './debt.ts';
import { type Cents, cents, sum, ZERO } from './money.ts';

/** What was agreed for an installment. */
export type Agreed = Omit<Installment, 'events'>;

/** Money that arrived for an installment, as the facts have it. */
export type ReceiptFacts = {
  /** What the sender calls the money. */
  readonly reference: string;
  /** 0: the money as it arrived. 1, 2, ...: what was left of it when the payer's bank took some; it counts from then on. */
  readonly part: number;
  /** How it came: what came by Pix goes back by Pix, and cashback becomes cashback again. */
  readonly source: 'pix' | 'cashback' | 'manual';
  readonly receivedAt: Instant;
  readonly amount: Cents;
  readonly purpose: 'pay' | 'extend';
  readonly pricedOn: Day | null;
  /** From then on it pays nothing: the payer's bank took it, or took some and the rest counts as another part. */
  readonly reversedAt: Instant | null;
  /** On its way back, or back, by refunds of ours. */
  readonly refunded: Cents;
  /** Left it without having been applied: taken by the payer's bank, or counted as another part. */
  readonly taken: Cents;
  /** Too much, and not to go back by itself: a person sees to it. */
  readonly stranded: Cents;
  /** Became cashback: it could not go back. */
  readonly credited: Cents;
  /** What of it left at which return: it had paid something until then, and is another part from then on. */
  readonly left: readonly Left[];
};

export type Left = { readonly returnId: string; readonly amount: Cents };

/** Nothing has happened yet to what arrived. */
export const UNTOUCHED = {
  refunded: ZERO,
  taken: ZERO,
  stranded: ZERO,
  credited: ZERO,
  left: [],
} as const;

/** What is too much of a receipt, and is held to be refunded from now on. */
export type ToRefund = { readonly reference: string; readonly part: number; readonly amountCents: Cents };

export type Allocation = {
  /** As given, with what is too much now held for a refund. */
  readonly receipts: ReadonlyArray<{ readonly facts: ReceiptFacts; readonly applied: Applied }>;
  readonly installment: Installment;
  readonly toRefund: readonly ToRefund[];
};

/**
 * What all receipts of an installment come to. What was refunded or taken is out of the world: only the rest of a receipt is
 * applied. What of that is too much is held for a refund, so that whatever is heard later applies it to nothing.
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

/** What of a receipt was to be applied when it came. */
export function arrivedOf({ amount, refunded, taken, credited }: ReceiptFacts): Cents {
  return cents(amount - refunded - taken - credited);
}

/** What of a receipt is neither on its way back nor gone. */
export function hereOf(facts: ReceiptFacts): Cents {
  return cents(arrivedOf(facts) - leftOf(facts));
}

export function leftOf({ left }: ReceiptFacts): Cents {
  return sum(left.map(({ amount }) => amount));
}

/** What the payer's bank took cannot be given back, whatever it turns out to have paid for. */
export function heldOf({ source, reversedAt, stranded }: ReceiptFacts, excess: Cents): Cents {
  return source !== 'manual' && reversedAt === null ? cents(Math.max(0, excess - stranded)) : ZERO;
}

/** What of the amount of an installment was taken off with cashback, discounts for paying early included. */
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
