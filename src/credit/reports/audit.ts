import { isDeepStrictEqual } from 'node:util';
import { cetOfSchedule } from '#core/cet.ts';
import { summarise } from '#core/checkout.ts';
import { type Day, saoPauloDay } from '#core/day.ts';
import { type DebtEvent, debtAt, type Installment } from '#core/debt.ts';
import { type Cents, cents, sum } from '#core/money.ts';
import { allocatePurchase } from '#core/purchase.ts';
import { allocateReceipts, leftOf, type ReceiptFacts, redeemedOf } from '#core/receipts.ts';
import { type ScheduledInstallment, scheduleOf } from '#core/schedule.ts';
import { compare, type Entry, listInstallmentBalances, merged } from '#ledger';
import type { Auditor } from '#module';
import { lastFact } from '../purchases/debt-now.ts';
import { agreedEntries, purchaseEntries, receiptEntries, writtenOffEntries } from '../purchases/entries.ts';
import { CREDIT_POSTINGS, factsOf, purchaseFacts, redeemedAt } from '../purchases/reallocate.ts';
import { figuresOf, type ResultColumns, resultOf, shareColumns, toColumns } from '../purchases/receipt.ts';
import { termsOf } from '../purchases/terms-columns.ts';
import {
  type AcceptedOffer,
  type AuditedCheckout,
  type AuditedInstallment,
  type AuditedReceipt,
  type AuditedReturn,
  listAcceptedOffers,
  listAuditedCheckouts,
  listAuditedInstallments,
  listAuditedReceipts,
  listAuditedReturns,
  type OfCheckout,
} from './audit-store.ts';

/**
 * Recomputes everything from the frozen terms and the facts of the receipts (schedule, the result of each receipt, every
 * installment, every checkout, every entry), and compares.
 */
export const creditAuditor: Auditor = {
  kinds: CREDIT_POSTINGS,
  async check(tx, range) {
    const checkouts = await listAuditedCheckouts(tx, range);
    const installments = Map.groupBy(await listAuditedInstallments(tx, range), ofCheckout);
    const receipts = Map.groupBy(await listAuditedReceipts(tx, range), ofCheckout);
    const returns = Map.groupBy(await listAuditedReturns(tx, range), ofCheckout);
    const balances = Map.groupBy(
      await listInstallmentBalances(tx, range, CREDIT_POSTINGS),
      (row) => row.installment_id,
    );
    const found = checkOffers(await listAcceptedOffers(tx, range), checkouts);
    for (const checkout of checkouts) {
      const key = `${checkout.customer_id} ${checkout.hash}`;
      const own = installments.get(key) ?? [];
      const checkAll = () => {
        found.push(...checkSchedule(checkout, own));
        const made = returns.get(key) ?? [];
        const purchase = { checkout, installments: own, receipts: receipts.get(key) ?? [], returns: made };
        const expected = made.length > 0 ? recomputeReturned(purchase) : recompute(purchase);
        const isWrittenOff = checkout.standing_write_off !== null;
        found.push(...checkReceipts(purchase, expected));
        for (const [k, row] of own.entries()) {
          found.push(...checkInstallment(row, expected, k));
          const { outstanding_cents } = figuresOf(expected.installments[k]!.installment);
          const right = merged([
            ...expected.entries.filter(({ installmentId }) => installmentId === row.id),
            ...(isWrittenOff ? writtenOffEntries(row.id, outstanding_cents) : []),
          ]);
          found.push(...checkBalances(`installment ${row.id}`, right, balances.get(row.id) ?? []));
        }
        const allocated = expected.installments.map(({ installment }) => installment);
        if (own.length > 0) found.push(...checkCheckout(checkout, allocated, made));
      };
      try {
        checkAll();
      } catch (error) {
        // Impossible figures, such as more paid than was owed.
        found.push(`checkout ${checkout.hash}: cannot be recomputed: ${(error as Error).message}`);
      }
      for (const { id } of own) balances.delete(id);
    }
    for (const id of balances.keys()) found.push(`installment ${id}: has entries, but does not exist`);
    return found;
  },
};

const ofCheckout = (row: OfCheckout) => `${row.customer_id} ${row.checkout_hash}`;

/** Every accepted offer is one purchase, and every purchase by an offer was accepted. */
function checkOffers(offers: AcceptedOffer[], checkouts: AuditedCheckout[]): string[] {
  const known = new Map(offers.map((offer) => [`${offer.customer_id} ${offer.offer_id}`, offer]));
  const bought = checkouts.flatMap((checkout) => {
    if (checkout.offer_id === null) return [];
    const name = `${checkout.customer_id} ${checkout.offer_id}`;
    const offer = known.get(name);
    known.delete(name);
    const what = `checkout ${checkout.hash}`;
    if (!offer) return `${what}: its offer ${checkout.offer_id} was not accepted for it`;
    return compare(what, checkout, offer.agreed);
  });
  const left = [...known.values()].map(
    ({ offer_id: id }) => `offer ${id}: was accepted, but its purchase does not exist`,
  );
  return [...bought, ...left];
}

function checkSchedule(checkout: AuditedCheckout, installments: AuditedInstallment[]): string[] {
  const what = `checkout ${checkout.hash}`;
  const purchasedOn = saoPauloDay(checkout.purchased_at.getTime());
  const agreed = scheduleOf({
    financed: cents(checkout.financed_cents),
    installments: checkout.installments_total,
    weeklyRate: termsOf(checkout).weeklyRate,
    purchasedOn,
  });
  if (!agreed.ok) return [`${what}: ${agreed.refusal.message}`];
  const { schedule } = agreed;
  const cet = cetOfSchedule(schedule, purchasedOn);
  const planned = ({ amount, principal, interest, dueOn }: ScheduledInstallment) => ({
    amount_cents: amount,
    principal_cents: principal,
    interest_cents: interest,
    agreed_due_on: dueOn,
  });
  return [
    ...compare(what, checkout, {
      total_cents: schedule.total,
      cet_month_ppm: cet.month,
      cet_year_ppm: cet.year,
    }),
    ...compare(what, { installments: installments.length }, { installments: schedule.installments.length }),
    ...installments.flatMap((row) => {
      const right = schedule.installments[row.number - 1];
      return right ? compare(`installment ${row.id}`, row, planned(right)) : [];
    }),
  ];
}

type AuditedPurchase = {
  readonly checkout: AuditedCheckout;
  readonly installments: readonly AuditedInstallment[];
  readonly receipts: readonly AuditedReceipt[];
  readonly returns: readonly AuditedReturn[];
};

/** The expected rows and entries. Receipts in the order of the rows; missing ones come last. */
type Expected = {
  readonly entries: readonly Entry[];
  readonly receipts: ReadonlyArray<{ readonly facts: ReceiptFacts; readonly result: ResultColumns }>;
  readonly installments: ReadonlyArray<{
    readonly installment: Installment;
    readonly redeemed: Cents;
    readonly history: readonly DebtEvent[] | null;
  }>;
};

function recompute({ checkout, installments, receipts }: AuditedPurchase): Expected {
  const terms = termsOf(checkout);
  const results = new Map<AuditedReceipt, Expected['receipts'][number]>();
  const entries: Entry[] = [];
  const allocated = installments.map((row) => {
    const own = receipts.filter(({ installment_id }) => installment_id === row.id);
    const amount = cents(row.amount_cents);
    const parts = { principal: cents(row.principal_cents), interest: cents(row.interest_cents) };
    entries.push(...agreedEntries(row.id, { amount, ...parts }));
    const known = own.map(factsOf);
    const allocation = allocateReceipts({ amount, dueOn: row.agreed_due_on as Day, terms }, known);
    for (const [i, { facts, applied }] of allocation.receipts.entries()) {
      const result = toColumns(applied);
      results.set(own[i]!, { facts, result });
      entries.push(...receiptEntries(row.id, known[i]!, result));
    }
    return { ...allocation, redeemed: redeemedOf(allocation.receipts), history: null };
  });
  const inOrder = receipts.flatMap((receipt) => results.get(receipt) ?? []);
  return { receipts: inOrder, installments: allocated, entries };
}

function recomputeReturned({ checkout, installments, receipts, returns }: AuditedPurchase): Expected {
  const allocation = allocatePurchase(purchaseFacts({ ...checkout, installments, receipts, returns }));
  const ids = installments.map(({ id }) => id);
  return {
    receipts: allocation.receipts.map((receipt) => ({ facts: receipt.facts, result: shareColumns(receipt) })),
    installments: allocation.installments.map((installment, k) => ({
      installment,
      redeemed: redeemedAt(allocation, k),
      history: installment.events,
    })),
    entries: purchaseEntries(ids, allocation),
  };
}

function checkReceipts({ checkout, receipts }: AuditedPurchase, expected: Expected): string[] {
  const nameOf = ({ reference, part }: { reference: string; part: number }) =>
    part === 0 ? `receipt ${reference}` : `receipt ${reference}, part ${part},`;
  return expected.receipts.flatMap(({ facts, result }, i) => {
    const receipt = receipts[i];
    if (!receipt) return `${nameOf(facts)}: is missing`;
    const { checkout_hash, refunded_cents, taken_cents, left_cents } = receipt;
    return compare(
      nameOf(receipt),
      { checkout_hash, refunded_cents, taken_cents, left_cents, ...resultOf(receipt) },
      {
        checkout_hash: checkout.hash,
        refunded_cents: facts.refunded,
        taken_cents: facts.taken,
        left_cents: leftOf(facts),
        ...result,
      },
    );
  });
}

function checkInstallment(row: AuditedInstallment, { installments }: Expected, k: number): string[] {
  const { installment, redeemed, history } = installments[k]!;
  return compare(
    `installment ${row.id}`,
    {
      ...row,
      paid_at: row.paid_at?.getTime() ?? null,
      'history as replayed': isDeepStrictEqual(row.history, history),
    },
    { ...figuresOf(installment), redeemed_cents: redeemed, 'history as replayed': true },
  );
}

type Balance = { account: string; amount_cents: number };

/** The sums of the entries by account, next to the expected ones. */
function checkBalances(what: string, right: Entry[], balances: Balance[]): string[] {
  const booked = Object.fromEntries(balances.map(({ account, amount_cents }) => [account, amount_cents]));
  const accounts = new Set([...Object.keys(booked), ...right.map(({ account }) => account)]);
  return [...accounts].flatMap((account) => {
    const name = `${account} of its entries`;
    const amount = right.find((entry) => entry.account === account)?.amountCents ?? 0;
    return compare(what, { [name]: booked[account] ?? 0 }, { [name]: amount });
  });
}

function checkCheckout(
  checkout: AuditedCheckout,
  installments: Installment[],
  returns: readonly AuditedReturn[],
): string[] {
  const instant = Math.max(checkout.purchased_at.getTime(), ...installments.map((of) => lastFact(of) ?? 0));
  const debts = installments.map((installment) => debtAt(installment, instant));
  const summary = summarise(debts);
  const lateAfter = debts.flatMap(({ status, outstanding, effectiveDueOn }, i) =>
    status === 'paid' ? [] : outstanding > 0 ? effectiveDueOn : installments[i]!.dueOn,
  );
  const settledAt = lateAfter.length > 0 ? null : Math.max(...debts.map(({ paidAt }) => paidAt ?? 0));
  const returned = returns.reduce((total, { amount_cents }) => total + amount_cents, 0);
  return compare(
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
      returned_at: returned === checkout.financed_cents ? returns.at(-1)!.returned_at_ms : null,
      outstanding_cents: summary.outstanding,
      penalty_cents: sum(installments.map((of) => figuresOf(of).penalty_cents)),
      installments_paid: summary.installmentsPaid,
      next_due_on: summary.nextDueOn,
      late_after: lateAfter.sort()[0] ?? 'infinity',
      settled_at: settledAt,
      written_off_at: checkout.standing_write_off?.getTime() ?? null,
    },
  );
}
