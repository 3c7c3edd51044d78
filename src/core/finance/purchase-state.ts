import { daysBetween, type Instant } from '../values/day.ts';
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
export type InstallmentReceipt = ReceiptFacts & { readonly installmentIndex: number };

export type PurchaseFacts = {
  readonly plan: PurchasePlan;
  readonly installments: readonly AgreedInstallment[];
  /** Receipts of the same instant are in the order in which they were reported. */
  readonly receipts: readonly InstallmentReceipt[];
  /** The returns in the order in which they were made. */
  readonly returns: readonly ReturnFacts[];
};

export type ReceiptState = {
  facts: { -readonly [K in keyof InstallmentReceipt]: InstallmentReceipt[K] };
  /** When the payment arrived that this receipt is a part of. */
  readonly arrivedAt: Instant;
  event: Payment | Extension | null;
  /** The amounts of installments that the receipt pays. There may be several for one installment. */
  shares: MutableShare[];
  /** The amount that exceeded the debt when the receipt arrived, less what was withdrawn since. */
  excess: number;
  /** Money that an earlier return released. It pays no installment, and is withdrawn at a later return. */
  unassignedAmount: number;
};

/** The state of a purchase at one instant of the replay. */
export type PurchaseState = {
  readonly facts: PurchaseFacts;
  readonly events: readonly DebtEvent[][];
  readonly receiptStates: readonly ReceiptState[];
  /** New receipt parts for money that was withdrawn from receipts at returns. */
  readonly newParts: InstallmentReceipt[];
  readonly refundsDue: RefundDue[];
  /** Withdrawn amounts that become cashback because they cannot be refunded. */
  readonly creditsDue: RefundDue[];
  schedule: readonly ScheduledInstallment[];
  returnedAmount: number;
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
    returnedAmount: 0,
  };
}

function createReceiptState(
  facts: InstallmentReceipt,
  receipts: readonly InstallmentReceipt[],
): ReceiptState {
  const parts = receipts.filter(({ reference }) => reference === facts.reference);
  const arrivedAt = findFirstPart(parts).receivedAt;
  return { facts: { ...facts }, arrivedAt, event: null, shares: [], excess: 0, unassignedAmount: 0 };
}

export function getInstallment({ facts, events }: PurchaseState, index: number): Installment {
  return { ...facts.installments[index]!, events: events[index]! };
}

export const computeInstallmentDebt = (state: PurchaseState, index: number, instant: Instant) =>
  computeDebt(getInstallment(state, index), instant);

/** Returns the indexes of the installments, the earliest due day first. */
export function listIndexesByDueDay(state: PurchaseState, instant: Instant): number[] {
  return state.facts.installments
    .map((_, index) => ({ index, dueOn: computeInstallmentDebt(state, index, instant).dueOn }))
    .sort((a, b) => daysBetween(b.dueOn, a.dueOn) || a.index - b.index)
    .map(({ index }) => index);
}

/** Withdraws an amount from a receipt at a return, as a new part: to be refunded, or to become cashback if it is too old for a refund. */
export function withdrawAtReturn(
  { facts: { receipts }, newParts, refundsDue, creditsDue }: PurchaseState,
  { facts, arrivedAt }: ReceiptState,
  amount: number,
  { id: returnId, returnedAt }: ReturnFacts,
): void {
  if (amount === 0) return;
  const { reference, source, installmentIndex } = facts;
  facts.withdrawals = addWithdrawal(facts, returnId, amount);
  const parts = [...receipts, ...newParts].filter((other) => other.reference === reference);
  const partNumber = Math.max(...parts.map(({ part }) => part)) + 1;
  const { refundedBy } = RECEIPT_SOURCES[source];
  const isRefundable =
    refundedBy === 'cashback' || (refundedBy === 'pix' && !isTooOldToRefund(arrivedAt, returnedAt));
  newParts.push({
    reference,
    part: partNumber,
    source,
    installmentIndex,
    receivedAt: returnedAt,
    amount: cents(amount),
    purpose: 'pay',
    pricedOn: null,
    waivesPenalties: false,
    reversedAt: null,
    ...NEW_RECEIPT_STATE,
    ...(isRefundable ? { refunded: cents(amount) } : { credited: cents(amount) }),
  });
  const amountsDue = isRefundable ? refundsDue : creditsDue;
  amountsDue.push({ reference, part: partNumber, amountCents: cents(amount) });
}

/**
 * Repeats the withdrawal that an earlier replay made at this return. Returns the amount that unassigned money and excess do not cover, which
 * must be taken from installments.
 */
export function replayWithdrawal(receipt: ReceiptState, { id }: ReturnFacts): number {
  const { facts } = receipt;
  const withdrawnAmount = facts.withdrawals.find(({ returnId }) => returnId === id)?.amount ?? 0;
  const amountFromUnassigned = Math.min(withdrawnAmount, receipt.unassignedAmount);
  receipt.unassignedAmount -= amountFromUnassigned;
  // Excess never paid an installment, so it is removed as of the arrival (`taken`) instead of as of the return. A staff user handles the
  // stranded part of the excess, so that part is not withdrawn.
  const withdrawableExcess = Math.max(0, receipt.excess - facts.stranded);
  const amountFromExcess = Math.min(withdrawnAmount - amountFromUnassigned, withdrawableExcess);
  receipt.excess -= amountFromExcess;
  facts.taken = cents(facts.taken + amountFromExcess);
  facts.withdrawals = addWithdrawal(facts, id, -amountFromExcess);
  return withdrawnAmount - amountFromUnassigned - amountFromExcess;
}

function addWithdrawal(
  { withdrawals }: InstallmentReceipt,
  returnId: string,
  amount: number,
): InstallmentReceipt['withdrawals'] {
  const previousAmount = withdrawals.find((withdrawal) => withdrawal.returnId === returnId)?.amount ?? 0;
  const newAmount = cents(previousAmount + amount);
  const otherWithdrawals = withdrawals.filter((withdrawal) => withdrawal.returnId !== returnId);
  return newAmount === 0 ? otherWithdrawals : [...otherWithdrawals, { returnId, amount: newAmount }];
}
