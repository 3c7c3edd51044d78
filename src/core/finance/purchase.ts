import { dayNumber, type Instant, saoPauloDayNumber } from '../values/day.ts';
import { type Cents, cents } from '../values/money.ts';
import { applyReceipt, splitPayment } from './allocation.ts';
import type { Extension, Installment, Payment } from './debt.ts';
import { applyReturn } from './purchase-return.ts';
import {
  computeInstallmentDebt,
  createPurchaseState,
  getInstallment,
  type InstallmentReceipt,
  listIndexesByDueDay,
  type PurchaseFacts,
  type PurchaseState,
  type ReceiptState,
} from './purchase-state.ts';
import { amountToApply, computeExcessToRefund, type RefundDue, toReceipt } from './receipts.ts';
import type { ScheduledInstallment } from './schedule.ts';
import { countDaysEarly, type MutableShare, type Share, sumParts, toShare } from './shares.ts';

export type { InstallmentReceipt, PurchaseFacts, ReturnFacts } from './purchase-state.ts';

export type PurchaseAllocation = {
  /** The receipts of `PurchaseFacts`, then the parts that returns split off. `excess` is what is not held for a refund. */
  readonly receipts: ReadonlyArray<{
    readonly facts: InstallmentReceipt;
    readonly event: Payment | Extension | null;
    /** The parts of installments that the receipt pays or, if it was reversed, paid before the reversal. */
    readonly shares: readonly Share[];
    readonly excess: Cents;
  }>;
  readonly installments: readonly Installment[];
  readonly schedule: readonly ScheduledInstallment[];
  readonly refundsDue: readonly RefundDue[];
  /** Amounts withdrawn at returns that become cashback because they cannot be refunded. */
  readonly creditsDue: readonly RefundDue[];
};

/**
 * Replays the receipts and returns of a purchase in chronological order. A receipt pays its installment when it arrives. At a return, every
 * installment shrinks to its amount in the schedule of the smaller purchase. Money paid beyond that pays the other installments, the
 * earliest first. The rest is withdrawn from the receipts, the newest first. What these receipts had paid is then paid with money that the
 * return freed from other receipts. Money that an earlier replay withdrew (`withdrawals`) stays withdrawn, so the result does not depend on
 * the order in which receipts and returns are reported.
 */
export function allocatePurchase(facts: PurchaseFacts): PurchaseAllocation {
  const state = createPurchaseState(facts);
  for (const step of buildTimeline(state)) step.run();
  return toAllocation(state);
}

function buildTimeline(state: PurchaseState): Array<{ instant: Instant; rank: number; run: () => void }> {
  const { returns } = state.facts;
  const receiptSteps = state.receiptStates
    .filter(({ facts }) => amountToApply(facts) > 0)
    .map((receipt) => ({
      instant: receipt.facts.receivedAt,
      // At the same instant, payments come before returns, and split-off parts of payments (`part` above 0) after them.
      rank: receipt.facts.part > 0 ? returns.length : -1,
      run: () => applyToInstallment(state, receipt),
    }));
  const returnSteps = returns.map((purchaseReturn, i) => ({
    instant: purchaseReturn.returnedAt,
    rank: i,
    run: () => applyReturn(state, purchaseReturn),
  }));
  return [...receiptSteps, ...returnSteps].sort((a, b) => a.instant - b.instant || a.rank - b.rank);
}

function applyToInstallment(state: PurchaseState, receipt: ReceiptState): void {
  const { facts } = receipt;
  const { installmentIndex, receivedAt } = facts;
  const { event, excess } = applyReceipt(getInstallment(state, installmentIndex), toReceipt(facts));
  receipt.event = event;
  receipt.excess = excess;
  if (event) {
    state.events[installmentIndex]!.push(event);
    receipt.shares.push(toMutableShare(state, facts, event));
  }
  // After a return, a split-off part may have paid several installments. It pays them again.
  if (facts.part > 0 && state.returnedAmount > 0)
    for (const otherIndex of listIndexesByDueDay(state, receivedAt))
      if (otherIndex !== installmentIndex) payWithExcess(state, receipt, otherIndex);
}

function toMutableShare(
  { facts: { installments } }: PurchaseState,
  facts: InstallmentReceipt,
  event: Payment | Extension,
): MutableShare {
  const { installmentIndex, receivedAt, pricedOn } = facts;
  const { interest, fine } = event;
  const pricedDay = pricedOn ? dayNumber(pricedOn) : Number.POSITIVE_INFINITY;
  const daysEarly = countDaysEarly(
    installments[installmentIndex]!,
    Math.min(saoPauloDayNumber(receivedAt), pricedDay),
  );
  const otherParts =
    event.kind === 'payment'
      ? { principal: event.principal, discount: event.discount, fee: 0 }
      : { principal: 0, discount: 0, fee: event.fee };
  return { installmentIndex, interest, fine, ...otherParts, daysEarly };
}

function payWithExcess(state: PurchaseState, receipt: ReceiptState, index: number): void {
  if (receipt.excess === 0) return;
  const { receivedAt, reversedAt } = receipt.facts;
  const debt = computeInstallmentDebt(state, index, receivedAt);
  if (debt.status === 'paid') return;
  const { excess, ...parts } = splitPayment(
    cents(receipt.excess),
    debt,
    state.facts.installments[index]!.terms,
  );
  receipt.excess = excess;
  state.events[index]!.push({ kind: 'payment', at: receivedAt, ...parts, pricedOn: null, reversedAt });
  receipt.shares.push({ installmentIndex: index, ...parts, fee: 0, daysEarly: debt.daysEarly });
}

function toAllocation(state: PurchaseState): PurchaseAllocation {
  const { facts, receiptStates, newParts, schedule, refundsDue, creditsDue } = state;
  const newReceipts = newParts.map((part) => ({ facts: part, event: null, shares: [], excess: cents(0) }));
  const receipts = [...receiptStates.map((receipt) => holdExcess(receipt, refundsDue)), ...newReceipts];
  return {
    receipts,
    installments: facts.installments.map((_, index) => getInstallment(state, index)),
    schedule,
    refundsDue,
    creditsDue,
  };
}

/** Holds the excess of a receipt for a refund (`refundsDue`). The rest is left to a staff user (`stranded`), unless the receipt is reversed. */
function holdExcess(
  { facts, event, shares, excess: remainingExcess, unassignedAmount }: ReceiptState,
  refundsDue: RefundDue[],
): PurchaseAllocation['receipts'][number] {
  const excess = remainingExcess + unassignedAmount;
  const heldAmount = computeExcessToRefund(facts, cents(excess));
  const { reference, part } = facts;
  if (heldAmount > 0) refundsDue.push({ reference, part, amountCents: heldAmount });
  const unheldExcess = cents(excess - heldAmount);
  const stranded = facts.reversedAt === null ? unheldExcess : cents(0);
  return {
    facts: { ...facts, refunded: cents(facts.refunded + heldAmount), stranded },
    event,
    shares: shares.filter((share) => sumParts(share) + share.discount > 0).map(toShare),
    excess: unheldExcess,
  };
}
