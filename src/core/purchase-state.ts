import type { Instant } from './day.ts';
import { type DebtEvent, debtAt, type Extension, type Installment, type Payment } from './debt.ts';
import { type Cents, cents } from './money.ts';
import { type Agreed, isTooOldToRefund, type ReceiptFacts, type ToRefund, UNTOUCHED } from './receipts.ts';
import { installmentsOf, type Purchase, type ScheduledInstallment } from './schedule.ts';
import type { Slot } from './shares.ts';

/** A return of a part of the purchase. */
export type ReturnFacts = { readonly id: string; readonly at: Instant; readonly amount: Cents };

/** A receipt, and the index of the installment it was sent for. */
export type PlacedReceipt = ReceiptFacts & { readonly installment: number };

export type PurchaseFacts = {
  readonly plan: Purchase;
  readonly installments: readonly Agreed[];
  /** Receipts of the same instant are in the order in which they were reported. */
  readonly receipts: readonly PlacedReceipt[];
  /** In the order in which they were made. */
  readonly returns: readonly ReturnFacts[];
};

/** A receipt while the purchase is replayed. */
export type Money = {
  facts: { -readonly [K in keyof PlacedReceipt]: PlacedReceipt[K] };
  /** When the payment that it is a part of arrived. */
  readonly arrivedAt: Instant;
  event: Payment | Extension | null;
  /** What it pays. */
  slots: Slot[];
  /** What was too much when it arrived. */
  excess: number;
  /** Freed by a return. It pays nothing until it leaves at a later return. */
  waiting: number;
};

/** The purchase at one instant of the replay. */
export type PurchaseState = {
  readonly facts: PurchaseFacts;
  /** By installment. */
  readonly events: readonly DebtEvent[][];
  readonly moneys: readonly Money[];
  /** What left receipts at returns. */
  readonly newParts: PlacedReceipt[];
  readonly toRefund: ToRefund[];
  readonly toCredit: ToRefund[];
  schedule: readonly ScheduledInstallment[];
  /** The sum of the returns so far. */
  returned: number;
};

export function startState(facts: PurchaseFacts): PurchaseState {
  return {
    facts,
    events: facts.installments.map(() => []),
    moneys: facts.receipts.map((receipt) => toMoney(receipt, facts.receipts)),
    newParts: [],
    toRefund: [],
    toCredit: [],
    schedule: installmentsOf(facts.plan),
    returned: 0,
  };
}

function toMoney(facts: PlacedReceipt, receipts: readonly PlacedReceipt[]): Money {
  const parts = receipts.filter(({ reference }) => reference === facts.reference);
  const first = parts.reduce((least, one) => (one.part < least.part ? one : least), facts);
  const arrivedAt = first.receivedAt;
  return { facts: { ...facts }, arrivedAt, event: null, slots: [], excess: 0, waiting: 0 };
}

export function installmentAt({ facts, events }: PurchaseState, k: number): Installment {
  return { ...facts.installments[k]!, events: events[k]! };
}

export const debtOf = (state: PurchaseState, k: number, at: Instant) => debtAt(installmentAt(state, k), at);

/** The indexes of the installments, the earliest due date first. */
export function inDueOrder(state: PurchaseState, at: Instant): number[] {
  return state.facts.installments
    .map((_, k) => ({ k, dueOn: debtOf(state, k, at).dueOn }))
    .sort((a, b) => (a.dueOn < b.dueOn ? -1 : a.dueOn > b.dueOn ? 1 : a.k - b.k))
    .map(({ k }) => k);
}

/** Moves the amount out of the receipt at the return, as a part of its own: to a refund, or to cashback where none is possible. */
export function leave(
  { facts: { receipts }, newParts, toRefund, toCredit }: PurchaseState,
  { facts, arrivedAt }: Money,
  amount: number,
  { id: returnId, at }: ReturnFacts,
): void {
  if (amount === 0) return;
  const { reference, source, installment } = facts;
  facts.left = addLeft(facts, returnId, amount);
  const parts = [...receipts, ...newParts].filter((known) => known.reference === reference);
  const part = Math.max(...parts.map((known) => known.part)) + 1;
  const isRefundable = source === 'cashback' || (source === 'pix' && !isTooOldToRefund(arrivedAt, at));
  newParts.push({
    reference,
    part,
    source,
    installment,
    receivedAt: at,
    amount: cents(amount),
    purpose: 'pay',
    pricedOn: null,
    reversedAt: null,
    ...UNTOUCHED,
    [isRefundable ? 'refunded' : 'credited']: cents(amount),
  });
  (isRefundable ? toRefund : toCredit).push({ reference, part, amountCents: cents(amount) });
}

/** Takes out what left the receipt at this return in an earlier replay. Returns what of it has still to be freed. */
export function takeGone(money: Money, { id }: ReturnFacts): number {
  const { facts } = money;
  const gone = facts.left.find(({ returnId }) => returnId === id)?.amount ?? 0;
  const waited = Math.min(gone, money.waiting);
  money.waiting -= waited;
  // This amount turns out never to have paid anything.
  const tooMuch = Math.min(gone - waited, Math.max(0, money.excess - facts.stranded));
  money.excess -= tooMuch;
  facts.taken = cents(facts.taken + tooMuch);
  facts.left = addLeft(facts, id, -tooMuch);
  return gone - waited - tooMuch;
}

function addLeft({ left }: PlacedReceipt, returnId: string, amount: number): PlacedReceipt['left'] {
  const before = left.find((known) => known.returnId === returnId)?.amount ?? 0;
  const others = left.filter((known) => known.returnId !== returnId);
  return before + amount === 0 ? others : [...others, { returnId, amount: cents(before + amount) }];
}
