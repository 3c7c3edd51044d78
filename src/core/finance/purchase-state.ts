import type { Instant } from '../values/day.ts';
import { type Cents, cents } from '../values/money.ts';
import { computeDebt, type DebtEvent, type Extension, type Installment, type Payment } from './debt.ts';
import {
  type AgreedInstallment,
  findFirstPart,
  isTooOldToRefund,
  NEW_RECEIPT_STATE,
  RECEIPT_SOURCES,
  type ReceiptFacts,
  type RefundDue,
} from './receipts.ts';
import { buildInstallments, type PurchasePlan, type ScheduledInstallment } from './schedule.ts';
import type { MutableShare } from './shares.ts';

export type ReturnFacts = { readonly id: string; readonly returnedAt: Instant; readonly amount: Cents };

/** A receipt with the index of the installment it was paid for. */
export type PlacedReceipt = ReceiptFacts & { readonly installment: number };

export type PurchaseFacts = {
  readonly plan: PurchasePlan;
  readonly installments: readonly AgreedInstallment[];
  /** Receipts of the same instant are in the order in which they were reported. */
  readonly receipts: readonly PlacedReceipt[];
  /** The returns in the order in which they were made. */
  readonly returns: readonly ReturnFacts[];
};

export type ReceiptState = {
  facts: { -readonly [K in keyof PlacedReceipt]: PlacedReceipt[K] };
  /** When the payment arrived whose part the receipt is. */
  readonly arrivedAt: Instant;
  event: Payment | Extension | null;
  /** The amounts of installments that the receipt pays. There may be several for one installment. */
  shares: MutableShare[];
  /** The amount that exceeded what was owed when the receipt arrived, and has not left since. */
  excess: number;
  /** Money freed by a return that pays nothing until it leaves at a later return. */
  unassigned: number;
};

/** The state of a purchase at one instant of the replay. */
export type PurchaseState = {
  readonly facts: PurchaseFacts;
  readonly events: readonly DebtEvent[][];
  readonly receiptStates: readonly ReceiptState[];
  /** New receipt parts for money that left receipts at returns. */
  readonly newParts: PlacedReceipt[];
  readonly refundsDue: RefundDue[];
  readonly creditsDue: RefundDue[];
  schedule: readonly ScheduledInstallment[];
  returned: number;
};

export function createPurchaseState(facts: PurchaseFacts): PurchaseState {
  return {
    facts,
    events: facts.installments.map(() => []),
    receiptStates: facts.receipts.map((receipt) => createReceiptState(receipt, facts.receipts)),
    newParts: [],
    refundsDue: [],
    creditsDue: [],
    schedule: buildInstallments(facts.plan),
    returned: 0,
  };
}

function createReceiptState(facts: PlacedReceipt, receipts: readonly PlacedReceipt[]): ReceiptState {
  const parts = receipts.filter(({ reference }) => reference === facts.reference);
  const arrivedAt = findFirstPart(parts).receivedAt;
  return { facts: { ...facts }, arrivedAt, event: null, shares: [], excess: 0, unassigned: 0 };
}

export function getInstallment({ facts, events }: PurchaseState, index: number): Installment {
  return { ...facts.installments[index]!, events: events[index]! };
}

export const computeInstallmentDebt = (state: PurchaseState, index: number, at: Instant) =>
  computeDebt(getInstallment(state, index), at);

/** Returns the indexes of the installments, the earliest due day first. */
export function sortByDueDay(state: PurchaseState, at: Instant): number[] {
  return state.facts.installments
    .map((_, index) => ({ index, dueOn: computeInstallmentDebt(state, index, at).dueOn }))
    .sort((a, b) => (a.dueOn < b.dueOn ? -1 : a.dueOn > b.dueOn ? 1 : a.index - b.index))
    .map(({ index }) => index);
}

/** Moves an amount out of a receipt at a return, as a new part: to a refund, or to cashback if a refund is not possible. */
export function withdrawAtReturn(
  { facts: { receipts }, newParts, refundsDue, creditsDue }: PurchaseState,
  { facts, arrivedAt }: ReceiptState,
  amount: number,
  { id: returnId, returnedAt: at }: ReturnFacts,
): void {
  if (amount === 0) return;
  const { reference, source, installment } = facts;
  facts.withdrawals = addWithdrawal(facts, returnId, amount);
  const parts = [...receipts, ...newParts].filter((other) => other.reference === reference);
  const part = Math.max(...parts.map((otherPart) => otherPart.part)) + 1;
  const { refundedBy } = RECEIPT_SOURCES[source];
  const isRefundable =
    refundedBy === 'cashback' || (refundedBy === 'pix' && !isTooOldToRefund(arrivedAt, at));
  newParts.push({
    reference,
    part,
    source,
    installment,
    receivedAt: at,
    amount: cents(amount),
    purpose: 'pay',
    pricedOn: null,
    waivesPenalties: false,
    reversedAt: null,
    ...NEW_RECEIPT_STATE,
    [isRefundable ? 'refunded' : 'credited']: cents(amount),
  });
  (isRefundable ? refundsDue : creditsDue).push({ reference, part, amountCents: cents(amount) });
}

/** Repeats the withdrawal that an earlier replay made at this return. Returns the part of it that must still be freed. */
export function replayWithdrawal(receipt: ReceiptState, { id }: ReturnFacts): number {
  const { facts } = receipt;
  const withdrawn = facts.withdrawals.find(({ returnId }) => returnId === id)?.amount ?? 0;
  const fromUnassigned = Math.min(withdrawn, receipt.unassigned);
  receipt.unassigned -= fromUnassigned;
  // The excess never paid an installment, so it leaves the receipt without freeing anything.
  const fromExcess = Math.min(withdrawn - fromUnassigned, Math.max(0, receipt.excess - facts.stranded));
  receipt.excess -= fromExcess;
  facts.taken = cents(facts.taken + fromExcess);
  facts.withdrawals = addWithdrawal(facts, id, -fromExcess);
  return withdrawn - fromUnassigned - fromExcess;
}

function addWithdrawal(
  { withdrawals }: PlacedReceipt,
  returnId: string,
  amount: number,
): PlacedReceipt['withdrawals'] {
  const previousAmount = withdrawals.find((withdrawal) => withdrawal.returnId === returnId)?.amount ?? 0;
  const newAmount = cents(previousAmount + amount);
  const otherWithdrawals = withdrawals.filter((withdrawal) => withdrawal.returnId !== returnId);
  return newAmount === 0 ? otherWithdrawals : [...otherWithdrawals, { returnId, amount: newAmount }];
}
