import type { Instant } from '../values/day.ts';
import { cents } from '../values/money.ts';
import { splitPayment } from './allocation.ts';
import {
  computeInstallmentDebt,
  listIndexesByDueDay,
  type PurchaseState,
  type ReceiptState,
  type ReturnFacts,
  replayWithdrawal,
  withdrawAtReturn,
} from './purchase-state.ts';
import { amountStillHeld } from './receipts.ts';
import { buildInstallments } from './schedule.ts';
import {
  type MutableShare,
  negateParts,
  type PaymentParts,
  reduceShare,
  sumParts,
  takeFromDemand,
  takeMoney,
  takePenalties,
  takePrincipal,
  toPartsInCents,
} from './shares.ts';

/**
 * Words of this file. Surplus: money that a return frees because an installment is smaller now. Spare: surplus that no installment needs,
 * so it leaves the purchase. Vacant parts: what a receipt had paid with principal that left with the spare money; surplus of other
 * receipts pays them again. Demand: a share that is to be paid with surplus, from the instant of the return on.
 */
type PaymentDemand = MutableShare & { readonly kind: 'payment' | 'transfer' };

/** Amounts of money by receipt. */
type Amounts = Map<ReceiptState, number>;

/** Applies a return: the schedule shrinks to that of the smaller purchase, and the money is redistributed. */
export function applyReturn(state: PurchaseState, purchaseReturn: ReturnFacts): void {
  const { returnedAt } = purchaseReturn;
  const { plan, installments } = state.facts;
  const wasInstallmentPaid = installments.map(
    (_, index) => computeInstallmentDebt(state, index, returnedAt).status === 'paid',
  );
  const isLive = ({ facts }: ReceiptState) => facts.reversedAt === null || facts.reversedAt > returnedAt;
  const liveReceipts = sortNewestFirst(state.receiptStates.filter(isLive));
  const reversedReceipts = state.receiptStates.filter((receipt) => !isLive(receipt));
  for (const receipt of reversedReceipts) {
    const uncoveredAmount = replayWithdrawal(receipt, purchaseReturn);
    takeMoney(receipt.shares, uncoveredAmount);
  }
  state.returnedAmount += purchaseReturn.amount;
  const isWhole = state.returnedAmount === plan.financed;
  shrinkSchedule(state, returnedAt, isWhole);
  if (isWhole) withdrawAll(state, purchaseReturn, liveReceipts);
  else redistribute(state, purchaseReturn, liveReceipts, wasInstallmentPaid);
}

/** Of receipts of the same instant, the last one in the list comes first: the sort is stable. */
function sortNewestFirst(receipts: readonly ReceiptState[]): ReceiptState[] {
  return receipts
    .toReversed()
    .sort((a, b) => b.arrivedAt - a.arrivedAt || b.facts.receivedAt - a.facts.receivedAt);
}

function shrinkSchedule(state: PurchaseState, returnedAt: Instant, isWhole: boolean): void {
  const { facts, events, returnedAmount, schedule: previousSchedule } = state;
  state.schedule = buildInstallments({
    ...facts.plan,
    financed: cents(facts.plan.financed - returnedAmount),
  });
  for (const [index, { amount }] of state.schedule.entries()) {
    const reduction = cents(previousSchedule[index]!.amount - amount);
    if (reduction !== 0 || isWhole)
      events[index]!.push({ kind: 'return', at: returnedAt, returned: reduction, whole: isWhole });
  }
}

/** After the return of the whole purchase, all paid money leaves the receipts. */
function withdrawAll(
  state: PurchaseState,
  purchaseReturn: ReturnFacts,
  liveReceipts: readonly ReceiptState[],
): void {
  for (const receipt of liveReceipts) {
    const uncoveredAmount = replayWithdrawal(receipt, purchaseReturn);
    const remaining = Math.max(0, sumAmounts(receipt.shares.map(sumParts)) - uncoveredAmount);
    const withdrawal = Math.min(remaining, computeWithdrawableAmount(receipt));
    receipt.shares = [];
    receipt.unassignedAmount += remaining - withdrawal;
    withdrawAtReturn(state, receipt, withdrawal, purchaseReturn);
  }
}

/** After a partial return, money paid beyond the smaller schedule pays other installments, and the remainder leaves the receipts. */
function redistribute(
  state: PurchaseState,
  purchaseReturn: ReturnFacts,
  liveReceipts: readonly ReceiptState[],
  wasInstallmentPaid: readonly boolean[],
): void {
  const { returnedAt } = purchaseReturn;
  const surplus = freeExcess(state, liveReceipts, returnedAt);
  const repeatedWithdrawals = repeatWithdrawals(state, liveReceipts, surplus, purchaseReturn);
  const { payments, spare } = planPayments(
    state,
    Math.max(0, sumAmounts(surplus.values()) - sumAmounts(repeatedWithdrawals.values())),
    wasInstallmentPaid,
    returnedAt,
  );
  const vacantParts = withdrawSpare(
    state,
    liveReceipts,
    { surplus, repeatedWithdrawals, spare },
    purchaseReturn,
  );
  const paidAmount = sumAmounts(payments.map(sumParts));
  const refills = refillVacantParts(vacantParts, sumAmounts(surplus.values()) - paidAmount);
  assignMoney(state, [...refills, ...payments], surplus, returnedAt);
}

/** Frees the money paid on each installment beyond its new amount, that of the newest receipt first. Returns the surplus. */
function freeExcess(
  state: PurchaseState,
  liveReceipts: readonly ReceiptState[],
  returnedAt: Instant,
): Amounts {
  const surplus: Amounts = new Map(liveReceipts.map((receipt) => [receipt, 0]));
  for (const [index, { amount }] of state.schedule.entries()) {
    const payingShares = liveReceipts.flatMap((receipt) =>
      receipt.shares
        .filter(({ installmentIndex }) => installmentIndex === index)
        .map((share) => ({ receipt, share })),
    );
    let excess = sumAmounts(payingShares.map(({ share }) => share.principal + share.discount)) - amount;
    for (const { receipt, share } of payingShares) {
      const reduction = Math.min(Math.max(0, excess), share.principal + share.discount);
      if (reduction === 0) continue;
      const takenParts = reduceShare(share, reduction, state.facts.installments[index]!);
      recordTransfer(state, receipt, index, returnedAt, negateParts(takenParts));
      addAmount(surplus, receipt, takenParts.principal);
      excess -= reduction;
    }
  }
  return surplus;
}

/**
 * Repeats the withdrawals that an earlier replay made at this return. They are taken from freed money and principal. Only the amount that
 * freed money and principal do not cover is taken from penalties, which are owed again.
 */
function repeatWithdrawals(
  state: PurchaseState,
  liveReceipts: readonly ReceiptState[],
  surplus: Amounts,
  purchaseReturn: ReturnFacts,
): Amounts {
  const repeatedWithdrawals: Amounts = new Map();
  for (const receipt of liveReceipts) {
    const withdrawalToRepeat = replayWithdrawal(receipt, purchaseReturn);
    const coveredAmount = Math.min(withdrawalToRepeat, surplus.get(receipt)! + sumPrincipal(receipt));
    repeatedWithdrawals.set(receipt, coveredAmount);
    for (const { installmentIndex, ...takenParts } of takePenalties(
      receipt.shares,
      withdrawalToRepeat - coveredAmount,
    ))
      recordTransfer(state, receipt, installmentIndex, purchaseReturn.returnedAt, negateParts(takenParts));
  }
  return repeatedWithdrawals;
}

/** Plans which installments the spare money pays, the earliest due day first, as if it were one payment. `assignMoney` decides which receipts pay it. */
function planPayments(
  state: PurchaseState,
  amount: number,
  wasInstallmentPaid: readonly boolean[],
  returnedAt: Instant,
): { payments: PaymentDemand[]; spare: number } {
  const payments: PaymentDemand[] = [];
  let spare = amount;
  for (const index of listIndexesByDueDay(state, returnedAt)) {
    const debt = computeInstallmentDebt(state, index, returnedAt);
    if (spare === 0 || debt.status === 'paid') continue;
    const { excess, ...parts } = splitPayment(cents(spare), debt, state.facts.installments[index]!.terms);
    const kind = wasInstallmentPaid[index] ? 'transfer' : 'payment';
    payments.push({ kind, installmentIndex: index, ...parts, fee: 0, daysEarly: debt.daysEarly });
    spare = excess;
  }
  return { payments, spare };
}

/** Withdraws the spare money from receipts, the newest first. Returns the parts that these receipts no longer pay. */
function withdrawSpare(
  state: PurchaseState,
  liveReceipts: readonly ReceiptState[],
  { surplus, repeatedWithdrawals, spare }: { surplus: Amounts; repeatedWithdrawals: Amounts; spare: number },
  purchaseReturn: ReturnFacts,
): PaymentDemand[] {
  const vacantParts: PaymentDemand[] = [];
  let remaining = spare;
  for (const receipt of liveReceipts) {
    const repeatedAmount = repeatedWithdrawals.get(receipt)!;
    const withdrawal = Math.min(
      remaining,
      surplus.get(receipt)! + sumPrincipal(receipt) - repeatedAmount,
      computeWithdrawableAmount(receipt),
    );
    // Both amounts are taken together, so the result is the same whether money leaves now or left in an earlier replay.
    vacantParts.push(
      ...takeFromReceipt(state, receipt, repeatedAmount + withdrawal, surplus, purchaseReturn.returnedAt),
    );
    withdrawAtReturn(state, receipt, withdrawal, purchaseReturn);
    remaining -= withdrawal;
  }
  return vacantParts;
}

/** Takes the amount from the surplus of a receipt, then from the principal it pays, the last installment first. */
function takeFromReceipt(
  state: PurchaseState,
  receipt: ReceiptState,
  amount: number,
  surplus: Amounts,
  returnedAt: Instant,
): PaymentDemand[] {
  const amountFromSurplus = Math.min(amount, surplus.get(receipt)!);
  addAmount(surplus, receipt, -amountFromSurplus);
  let remaining = amount - amountFromSurplus;
  const vacantParts: PaymentDemand[] = [];
  for (const share of receipt.shares.toSorted((a, b) => b.installmentIndex - a.installmentIndex)) {
    const principal = Math.min(remaining, share.principal);
    if (principal === 0) continue;
    const { installmentIndex, daysEarly } = share;
    const takenParts = takePrincipal(share, principal);
    recordTransfer(state, receipt, installmentIndex, returnedAt, negateParts(takenParts));
    vacantParts.push({ kind: 'transfer', installmentIndex, ...takenParts, daysEarly });
    remaining -= principal;
  }
  return vacantParts;
}

/** Returns the vacant parts that an amount can pay, the first installment first. */
function refillVacantParts(vacantParts: readonly PaymentDemand[], available: number): PaymentDemand[] {
  const refills: PaymentDemand[] = [];
  let remaining = available;
  for (const share of vacantParts.toSorted((a, b) => a.installmentIndex - b.installmentIndex)) {
    const refill = takePrincipal({ ...share }, Math.min(remaining, share.principal));
    if (refill.principal > 0) refills.push({ ...share, ...refill });
    remaining -= refill.principal;
  }
  return refills;
}

/** Pays the demands with the surplus, that of the oldest receipt first (`surplus` has the newest first). The rest stays unassigned. */
function assignMoney(
  state: PurchaseState,
  demands: readonly PaymentDemand[],
  surplus: Amounts,
  returnedAt: Instant,
) {
  const supplies = [...surplus]
    .reverse()
    .filter(([, amount]) => amount > 0)
    .map(([receipt, amount]) => ({ receipt, amount }));
  for (const demand of demands) {
    const openDemand = { ...demand };
    while (sumParts(openDemand) > 0) {
      const supply = supplies[0]!;
      const parts = takeFromDemand(openDemand, Math.min(supply.amount, sumParts(openDemand)));
      payDemand(state, supply.receipt, demand, parts, returnedAt);
      supply.amount -= sumParts(parts);
      if (supply.amount === 0) supplies.shift();
    }
  }
  for (const { receipt, amount } of supplies) receipt.unassignedAmount += amount;
}

function payDemand(
  state: PurchaseState,
  receipt: ReceiptState,
  { kind, installmentIndex, daysEarly }: PaymentDemand,
  parts: PaymentParts,
  returnedAt: Instant,
): void {
  const { reversedAt } = receipt.facts;
  if (kind === 'transfer') recordTransfer(state, receipt, installmentIndex, returnedAt, parts);
  else
    state.events[installmentIndex]!.push({
      kind,
      at: returnedAt,
      ...toPartsInCents(parts),
      pricedOn: null,
      reversedAt,
    });
  receipt.shares.push({ installmentIndex, ...parts, daysEarly });
}

function recordTransfer(
  { events }: PurchaseState,
  { facts: { reversedAt } }: ReceiptState,
  index: number,
  returnedAt: Instant,
  parts: Omit<PaymentParts, 'fee'>,
): void {
  const { interest, fine, principal, discount } = parts;
  if (interest === 0 && fine === 0 && principal === 0 && discount === 0) return;
  events[index]!.push({ kind: 'transfer', at: returnedAt, ...toPartsInCents(parts), reversedAt });
}

/** Returns the applied money that can still leave a receipt, without money that leaves at a later return or was reversed by the bank. */
function computeWithdrawableAmount({ facts, excess }: ReceiptState): number {
  return facts.reversedAt === null ? Math.max(0, amountStillHeld(facts) - excess) : 0;
}

const sumPrincipal = ({ shares }: ReceiptState) => sumAmounts(shares.map(({ principal }) => principal));

function sumAmounts(amounts: Iterable<number>): number {
  let sum = 0;
  for (const amount of amounts) sum += amount;
  return sum;
}

const addAmount = (amounts: Amounts, receipt: ReceiptState, amount: number) =>
  amounts.set(receipt, amounts.get(receipt)! + amount);
