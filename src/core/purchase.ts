import { applyReceipt, partsOf } from './allocation.ts';
import { dayNumber, type Instant, saoPauloDayNumber } from './day.ts';
import type { Extension, Installment, Payment } from './debt.ts';
import { type Cents, cents } from './money.ts';
import { applyReturn } from './purchase-return.ts';
import {
  debtOf,
  inDueOrder,
  installmentAt,
  type Money,
  type PlacedReceipt,
  type PurchaseFacts,
  type PurchaseState,
  startState,
} from './purchase-state.ts';
import { arrivedOf, heldOf, type ToRefund, toReceipt } from './receipts.ts';
import type { ScheduledInstallment } from './schedule.ts';
import { daysBefore, moneyOf, type Share, type Slot, toShare } from './shares.ts';

export type { PlacedReceipt, PurchaseFacts, ReturnFacts } from './purchase-state.ts';

export type PurchaseAllocation = {
  /** The receipts as given, then new parts. What is too much is now held for a refund. */
  readonly receipts: ReadonlyArray<{
    readonly facts: PlacedReceipt;
    /** What it was applied as when it arrived. */
    readonly event: Payment | Extension | null;
    /** What it pays now. For a reversed receipt, what it paid until the reversal. */
    readonly shares: readonly Share[];
    readonly excess: Cents;
  }>;
  readonly installments: readonly Installment[];
  /** The amounts of the installments after all returns. */
  readonly schedule: readonly ScheduledInstallment[];
  readonly toRefund: readonly ToRefund[];
  /** What becomes cashback from now on, because it cannot be refunded. */
  readonly toCredit: readonly ToRefund[];
};

/**
 * Replays a purchase: its receipts and its returns, in the order of time. A receipt pays its installment when it arrives. At a
 * return every installment shrinks to what the schedule of the smaller purchase gives. What was paid beyond that pays the other
 * installments, the earliest first. What is left then leaves the receipts, the newest first; what these had paid is paid with
 * money that the return freed from other receipts. What left in an earlier replay stays gone, so the result does not depend on
 * the order in which receipts and returns are reported.
 */
export function allocatePurchase(facts: PurchaseFacts): PurchaseAllocation {
  const state = startState(facts);
  for (const step of timelineOf(state)) step.run();
  return resultOf(state);
}

function timelineOf(state: PurchaseState): Array<{ at: Instant; rank: number; run: () => void }> {
  const { returns } = state.facts;
  const receiptSteps = state.moneys
    .filter(({ facts }) => arrivedOf(facts) > 0)
    .map((money) => ({
      at: money.facts.receivedAt,
      // At the same instant receipts come before returns. The parts that left at returns come after them.
      rank: money.facts.part > 0 ? returns.length : -1,
      run: () => applyMoney(state, money),
    }));
  const returnSteps = returns.map((made, i) => ({
    at: made.at,
    rank: i,
    run: () => applyReturn(state, made),
  }));
  return [...receiptSteps, ...returnSteps].sort((a, b) => a.at - b.at || a.rank - b.rank);
}

/** Applies a receipt to its installment. */
function applyMoney(state: PurchaseState, money: Money): void {
  const { facts } = money;
  const { installment: k, receivedAt: at } = facts;
  const { event, excess } = applyReceipt(installmentAt(state, k), toReceipt(facts));
  money.event = event as Money['event'];
  money.excess = excess;
  if (money.event) {
    state.events[k]!.push(money.event);
    money.slots.push(slotOf(state, facts, money.event));
  }
  // What is left of a payment that had paid several installments pays them again.
  if (facts.part > 0 && state.returned > 0)
    for (const other of inDueOrder(state, at)) if (other !== k) payWithExcess(state, money, other, at);
}

function slotOf(
  { facts: { installments } }: PurchaseState,
  facts: PlacedReceipt,
  event: Payment | Extension,
): Slot {
  const { installment, receivedAt, pricedOn } = facts;
  const { interest, fine } = event;
  const pricedDay = pricedOn ? dayNumber(pricedOn) : Number.POSITIVE_INFINITY;
  const daysEarly = daysBefore(
    installments[installment]!,
    Math.min(saoPauloDayNumber(receivedAt), pricedDay),
  );
  return event.kind === 'payment'
    ? { installment, interest, fine, principal: event.principal, discount: event.discount, fee: 0, daysEarly }
    : { installment, interest, fine, principal: 0, discount: 0, fee: event.fee, daysEarly };
}

function payWithExcess(state: PurchaseState, money: Money, k: number, at: Instant): void {
  if (money.excess === 0) return;
  const debt = debtOf(state, k, at);
  if (debt.status === 'paid') return;
  const { excess, ...parts } = partsOf(cents(money.excess), debt, state.facts.installments[k]!.terms);
  const { reversedAt } = money.facts;
  money.excess = excess;
  state.events[k]!.push({ kind: 'payment', at, ...parts, pricedOn: null, reversedAt });
  money.slots.push({ installment: k, ...parts, fee: 0, daysEarly: debt.daysEarly });
}

function resultOf(state: PurchaseState): PurchaseAllocation {
  const { facts, moneys, newParts, schedule, toRefund, toCredit } = state;
  const added = newParts.map((part) => ({ facts: part, event: null, shares: [], excess: cents(0) }));
  return {
    receipts: [...moneys.map((money) => holdExcess(money, toRefund)), ...added],
    installments: facts.installments.map((_, k) => installmentAt(state, k)),
    schedule,
    toRefund,
    toCredit,
  };
}

/** Holds what is too much of a receipt for a refund. What cannot be refunded is stranded. */
function holdExcess(
  { facts, event, slots, excess: tooMuch, waiting }: Money,
  toRefund: ToRefund[],
): PurchaseAllocation['receipts'][number] {
  const excess = tooMuch + waiting;
  const held = heldOf(facts, cents(excess));
  const { reference, part } = facts;
  if (held > 0) toRefund.push({ reference, part, amountCents: held });
  const over = cents(excess - held);
  const stranded = facts.reversedAt === null ? over : cents(0);
  return {
    facts: { ...facts, refunded: cents(facts.refunded + held), stranded },
    event,
    shares: slots.filter((slot) => moneyOf(slot) + slot.discount > 0).map(toShare),
    excess: over,
  };
}
