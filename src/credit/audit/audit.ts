import { isDeepStrictEqual } from 'node:util';
import { computeScheduleCet } from '#core/finance/cet.ts';
import { summarizeDebts } from '#core/finance/checkout.ts';
import { computeDebt, type DebtEvent, type Installment } from '#core/finance/debt.ts';
import { allocatePurchase } from '#core/finance/purchase.ts';
import {
  allocateReceipts,
  type ReceiptFacts,
  sumRedeemedCashback,
  sumWithdrawals,
} from '#core/finance/receipts.ts';
import { buildSchedule, type ScheduledInstallment } from '#core/finance/schedule.ts';
import { type Day, saoPauloDay } from '#core/values/day.ts';
import { type Cents, cents, sum } from '#core/values/money.ts';
import { compareFigures, type Entry, listInstallmentBalances, mergeEntries } from '#ledger';
import type { Auditor } from '#module';
import { checkSums } from '../figures/sums.ts';
import {
  buildPurchaseEntries,
  buildReceiptEntries,
  buildReceivableEntries,
  buildWriteOffEntries,
} from '../purchases/entries.ts';
import { CREDIT_POSTINGS, sumRedeemed, toPurchaseFacts } from '../purchases/reallocate.ts';
import {
  computeFigures,
  findLastEventAt,
  pickResultColumns,
  type ResultColumns,
  toPurchaseResultColumns,
  toResultColumns,
} from '../purchases/receipt.ts';
import { toReceiptFacts } from '../purchases/receipt-change.ts';
import { toTerms } from '../purchases/terms.ts';
import {
  type AcceptedOffer,
  type AuditedCheckout,
  type AuditedInstallment,
  type AuditedReceipt,
  type AuditedReturn,
  type CheckoutKey,
  listAcceptedOffers,
  listAuditedCheckouts,
  listAuditedInstallments,
  listAuditedReceipts,
  listAuditedReturns,
} from './audit-store.ts';

/**
 * Recomputes schedules, results of receipts, installments, checkouts and ledger entries from the agreed terms and the facts of the
 * receipts, and compares them with the stored rows.
 */
export const creditAuditor: Auditor = {
  postingKinds: CREDIT_POSTINGS,
  checkGlobal: checkSums,
  async check(tx, range) {
    const checkouts = await listAuditedCheckouts(tx, range);
    const installmentsByCheckout = Map.groupBy(await listAuditedInstallments(tx, range), toCheckoutKey);
    const receiptsByCheckout = Map.groupBy(await listAuditedReceipts(tx, range), toCheckoutKey);
    const returnsByCheckout = Map.groupBy(await listAuditedReturns(tx, range), toCheckoutKey);
    const balancesByInstallment = Map.groupBy(
      await listInstallmentBalances(tx, range, CREDIT_POSTINGS),
      (row) => row.installment_id,
    );
    const mismatches = checkOffers(await listAcceptedOffers(tx, range), checkouts);
    for (const checkout of checkouts) {
      const key = toCheckoutKey({ customer_id: checkout.customer_id, checkout_hash: checkout.hash });
      const purchase = {
        checkout,
        installments: installmentsByCheckout.get(key) ?? [],
        receipts: receiptsByCheckout.get(key) ?? [],
        returns: returnsByCheckout.get(key) ?? [],
      };
      try {
        // One by one, so that the mismatches found before an error are reported.
        for (const mismatch of checkPurchase(purchase, balancesByInstallment)) mismatches.push(mismatch);
      } catch (error) {
        // The core throws for impossible figures, such as more paid than owed.
        mismatches.push(`checkout ${checkout.hash}: cannot be recomputed: ${(error as Error).message}`);
      }
      for (const { id } of purchase.installments) balancesByInstallment.delete(id);
    }
    for (const id of balancesByInstallment.keys())
      mismatches.push(`installment ${id}: has entries, but does not exist`);
    return mismatches;
  },
};

const toCheckoutKey = (row: CheckoutKey) => `${row.customer_id} ${row.checkout_hash}`;

/** Checks that every accepted offer has one purchase, and that the offer of every purchase was accepted for it. */
function checkOffers(offers: AcceptedOffer[], checkouts: AuditedCheckout[]): string[] {
  const unmatchedOffers = new Map(offers.map((offer) => [`${offer.customer_id} ${offer.offer_id}`, offer]));
  const checkoutMismatches = checkouts.flatMap((checkout) => {
    if (checkout.offer_id === null) return [];
    const key = `${checkout.customer_id} ${checkout.offer_id}`;
    const offer = unmatchedOffers.get(key);
    unmatchedOffers.delete(key);
    const label = `checkout ${checkout.hash}`;
    if (!offer) return `${label}: its offer ${checkout.offer_id} was not accepted for it`;
    return compareFigures(label, checkout, offer.agreedColumns);
  });
  const offerMismatches = [...unmatchedOffers.values()].map(
    ({ offer_id: id }) => `offer ${id}: was accepted, but its purchase does not exist`,
  );
  return [...checkoutMismatches, ...offerMismatches];
}

function checkSchedule(checkout: AuditedCheckout, installments: readonly AuditedInstallment[]): string[] {
  const label = `checkout ${checkout.hash}`;
  const purchasedOn = saoPauloDay(checkout.purchased_at.getTime());
  const scheduleResult = buildSchedule({
    financed: cents(checkout.financed_cents),
    installments: checkout.installments_total,
    weeklyRate: toTerms(checkout).weeklyRate,
    purchasedOn,
  });
  if (!scheduleResult.ok) return [`${label}: ${scheduleResult.refusal.message.en}`];
  const { schedule } = scheduleResult;
  const cet = computeScheduleCet(schedule, purchasedOn);
  const toInstallmentColumns = ({ amount, principal, interest, dueOn }: ScheduledInstallment) => ({
    amount_cents: amount,
    principal_cents: principal,
    interest_cents: interest,
    agreed_due_on: dueOn,
  });
  return [
    ...compareFigures(
      label,
      { ...checkout, installments: installments.length },
      {
        total_cents: schedule.total,
        cet_month_ppm: cet.month,
        cet_year_ppm: cet.year,
        installments: schedule.installments.length,
      },
    ),
    ...installments.flatMap((row) => {
      const scheduled = schedule.installments[row.number - 1];
      return scheduled ? compareFigures(`installment ${row.id}`, row, toInstallmentColumns(scheduled)) : [];
    }),
  ];
}

type AuditedPurchase = {
  readonly checkout: AuditedCheckout;
  readonly installments: readonly AuditedInstallment[];
  readonly receipts: readonly AuditedReceipt[];
  readonly returns: readonly AuditedReturn[];
};

/** The expected rows and entries. Receipts are in the order of the stored receipts, and missing receipts come last. */
type ExpectedState = {
  readonly entries: readonly Entry[];
  readonly receipts: ReadonlyArray<{ readonly facts: ReceiptFacts; readonly result: ResultColumns }>;
  readonly installments: ReadonlyArray<{
    readonly installment: Installment;
    readonly redeemed: Cents;
    /** Stored only for purchases with returns. Otherwise it follows from the installment's own receipts. */
    readonly history: readonly DebtEvent[] | null;
  }>;
};

/** Recomputes the rows and entries of a purchase from its facts, and yields a line for each difference from the stored ones. */
function* checkPurchase(
  purchase: AuditedPurchase,
  balancesByInstallment: ReadonlyMap<string | null, readonly Balance[]>,
): Generator<string> {
  const { checkout, installments, returns } = purchase;
  yield* checkSchedule(checkout, installments);
  const expectedState = returns.length > 0 ? recomputeWithReturns(purchase) : recomputeInstallments(purchase);
  yield* checkReceipts(purchase, expectedState);
  const isWrittenOff = checkout.active_write_off_at !== null;
  for (const [index, row] of installments.entries()) {
    yield* checkInstallment(row, expectedState, index);
    const { outstanding_cents } = computeFigures(expectedState.installments[index]!.installment);
    const expectedEntries = mergeEntries([
      ...expectedState.entries.filter(({ installmentId }) => installmentId === row.id),
      ...(isWrittenOff ? buildWriteOffEntries(row.id, outstanding_cents) : []),
    ]);
    yield* checkBalances(`installment ${row.id}`, expectedEntries, balancesByInstallment.get(row.id) ?? []);
  }
  const expectedInstallments = expectedState.installments.map(({ installment }) => installment);
  if (installments.length > 0) yield* checkCheckout(checkout, expectedInstallments, returns);
}

/** Recomputes each installment alone: without returns, the receipts of an installment pay only that installment. */
function recomputeInstallments({ checkout, installments, receipts }: AuditedPurchase): ExpectedState {
  const terms = toTerms(checkout);
  const expectedReceipts = new Map<AuditedReceipt, ExpectedState['receipts'][number]>();
  const entries: Entry[] = [];
  const expectedInstallments: Array<ExpectedState['installments'][number]> = [];
  for (const row of installments) {
    const ownReceipts = receipts.filter(({ installment_id }) => installment_id === row.id);
    const amount = cents(row.amount_cents);
    const splitAmount = { principal: cents(row.principal_cents), interest: cents(row.interest_cents) };
    entries.push(...buildReceivableEntries(row.id, { amount, ...splitAmount }));
    const receiptFacts = ownReceipts.map(toReceiptFacts);
    const allocation = allocateReceipts({ amount, dueOn: row.agreed_due_on as Day, terms }, receiptFacts);
    for (const [i, { facts, applied }] of allocation.receipts.entries()) {
      const result = toResultColumns(applied);
      expectedReceipts.set(ownReceipts[i]!, { facts, result });
      entries.push(...buildReceiptEntries(row.id, receiptFacts[i]!, result));
    }
    const redeemed = sumRedeemedCashback(allocation.receipts);
    expectedInstallments.push({ installment: allocation.installment, redeemed, history: null });
  }
  const receiptsInOrder = receipts.flatMap((receipt) => expectedReceipts.get(receipt) ?? []);
  return { receipts: receiptsInOrder, installments: expectedInstallments, entries };
}

/** Recomputes all installments together: after a return, a receipt can pay other installments of the purchase too. */
function recomputeWithReturns({ checkout, installments, receipts, returns }: AuditedPurchase): ExpectedState {
  const allocation = allocatePurchase(toPurchaseFacts({ ...checkout, installments, receipts, returns }));
  const ids = installments.map(({ id }) => id);
  return {
    receipts: allocation.receipts.map((receipt) => ({
      facts: receipt.facts,
      result: toPurchaseResultColumns(receipt),
    })),
    installments: allocation.installments.map((installment, index) => ({
      installment,
      redeemed: sumRedeemed(allocation, index),
      history: installment.events,
    })),
    entries: buildPurchaseEntries(ids, allocation),
  };
}

function checkReceipts({ checkout, receipts }: AuditedPurchase, expectedState: ExpectedState): string[] {
  const describeReceipt = ({ reference, part }: { reference: string; part: number }) =>
    part === 0 ? `receipt ${reference}` : `receipt ${reference}, part ${part},`;
  return expectedState.receipts.flatMap(({ facts, result }, i) => {
    const receipt = receipts[i];
    if (!receipt) return `${describeReceipt(facts)}: is missing`;
    const { checkout_hash, refunded_cents, taken_cents, left_cents } = receipt;
    return compareFigures(
      describeReceipt(receipt),
      { checkout_hash, refunded_cents, taken_cents, left_cents, ...pickResultColumns(receipt) },
      {
        checkout_hash: checkout.hash,
        refunded_cents: facts.refunded,
        taken_cents: facts.taken,
        left_cents: sumWithdrawals(facts),
        ...result,
      },
    );
  });
}

function checkInstallment(row: AuditedInstallment, { installments }: ExpectedState, index: number): string[] {
  const { installment, redeemed, history } = installments[index]!;
  return compareFigures(
    `installment ${row.id}`,
    {
      ...row,
      paid_at: row.paid_at?.getTime() ?? null,
      history_is_correct: isDeepStrictEqual(row.history, history),
    },
    { ...computeFigures(installment), redeemed_cents: redeemed, history_is_correct: true },
  );
}

type Balance = { account: string; amount_cents: number };

function checkBalances(label: string, expectedEntries: Entry[], balances: readonly Balance[]): string[] {
  const bookedCents = Object.fromEntries(balances.map((row) => [row.account, row.amount_cents]));
  const accounts = new Set([...Object.keys(bookedCents), ...expectedEntries.map(({ account }) => account)]);
  return [...accounts].flatMap((account) => {
    const figure = `${account} of its entries`;
    const expectedCents = expectedEntries.find((entry) => entry.account === account)?.amountCents ?? 0;
    return compareFigures(label, { [figure]: bookedCents[account] ?? 0 }, { [figure]: expectedCents });
  });
}

function checkCheckout(
  checkout: AuditedCheckout,
  installments: Installment[],
  returns: readonly AuditedReturn[],
): string[] {
  const evaluatedAt = Math.max(
    checkout.purchased_at.getTime(),
    ...installments.map((installment) => findLastEventAt(installment) ?? 0),
  );
  const debts = installments.map((installment) => computeDebt(installment, evaluatedAt));
  const summary = summarizeDebts(debts);
  const lateAfterDays = debts.flatMap(({ status, outstanding, effectiveDueOn }, i) => {
    if (status === 'paid') return [];
    // An installment that owes only penalties is overdue even after an extension, so its agreed due day is used.
    return outstanding > 0 ? effectiveDueOn : installments[i]!.dueOn;
  });
  const [firstLateAfter = 'infinity'] = lateAfterDays.sort();
  const isSettled = debts.every(({ status }) => status === 'paid');
  const settledAt = isSettled ? Math.max(...debts.map(({ paidAt }) => paidAt ?? 0)) : null;
  const returnedCents = returns.reduce((total, { amount_cents }) => total + amount_cents, 0);
  return compareFigures(
    `checkout ${checkout.hash}`,
    {
      ...checkout,
      settled_at: checkout.settled_at?.getTime() ?? null,
      returned_at: checkout.returned_at?.getTime() ?? null,
      written_off_at: checkout.written_off_at?.getTime() ?? null,
    },
    {
      paid_cents: summary.paid,
      returned_cents: summary.returned,
      returned_at: returnedCents === checkout.financed_cents ? returns.at(-1)!.returned_at_ms : null,
      outstanding_cents: summary.outstanding,
      penalty_cents: sum(installments.map((installment) => computeFigures(installment).penalty_cents)),
      installments_paid: summary.installmentsPaid,
      next_due_on: summary.nextDueOn,
      late_after: firstLateAfter,
      settled_at: settledAt,
      written_off_at: checkout.active_write_off_at?.getTime() ?? null,
    },
  );
}
