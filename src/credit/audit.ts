import { cetOfSchedule } from '#core/cet.ts';
import { summarise } from '#core/checkout.ts';
import { type Day, saoPauloDay } from '#core/day.ts';
import { debtAt, type Installment } from '#core/debt.ts';
import { cents, sum } from '#core/money.ts';
import { allocateReceipts, redeemedOf } from '#core/receipts.ts';
import { type ScheduledInstallment, scheduleOf } from '#core/schedule.ts';
import { type Auditor, compare, type Entry, listInstallmentBalances, merged } from '#ledger';
import {
  type AuditedCheckout,
  type AuditedInstallment,
  type AuditedReceipt,
  listAuditedCheckouts,
  listAuditedInstallments,
  listAuditedReceipts,
} from './audit-store.ts';
import { lastFact } from './debt-now.ts';
import { agreedEntries, receiptEntries } from './entries.ts';
import { CREDIT_POSTINGS, factsOf, resultOf } from './reallocate.ts';
import { figuresOf, toColumns } from './receipt.ts';
import { termsOf } from './terms-columns.ts';

/**
 * Starts from the frozen terms and the facts of the receipts, computes everything else anew (schedule, what each receipt
 * came to, every installment, every checkout, every entry), and compares.
 */
export const creditAuditor: Auditor = {
  kinds: CREDIT_POSTINGS,
  async check(tx, range) {
    const checkouts = await listAuditedCheckouts(tx, range);
    const installments = Map.groupBy(await listAuditedInstallments(tx, range), ofCheckout);
    const receipts = Map.groupBy(await listAuditedReceipts(tx, range), (row) => row.installment_id);
    const balances = Map.groupBy(
      await listInstallmentBalances(tx, range, CREDIT_POSTINGS),
      (row) => row.installment_id,
    );
    const found: string[] = [];
    for (const checkout of checkouts) {
      const own = installments.get(`${checkout.customer_id} ${checkout.hash}`) ?? [];
      const checkAll = () => {
        found.push(...checkSchedule(checkout, own));
        const allocated = own.map((installment) => {
          const ofInstallment = {
            receipts: receipts.get(installment.id) ?? [],
            balances: balances.get(installment.id) ?? [],
          };
          return checkInstallment(checkout, installment, ofInstallment, found);
        });
        if (own.length > 0) found.push(...checkCheckout(checkout, allocated));
      };
      try {
        checkAll();
      } catch (error) {
        // Figures that no history can have, such as more paid than was owed.
        found.push(`checkout ${checkout.hash}: cannot be recomputed: ${(error as Error).message}`);
      }
      for (const { id } of own) balances.delete(id);
    }
    for (const id of balances.keys()) found.push(`installment ${id}: has entries, but does not exist`);
    return found;
  },
};

const ofCheckout = (row: AuditedInstallment) => `${row.customer_id} ${row.checkout_hash}`;

type Balance = { account: string; amount_cents: number };

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

function checkInstallment(
  checkout: AuditedCheckout,
  row: AuditedInstallment,
  { receipts, balances }: { receipts: AuditedReceipt[]; balances: Balance[] },
  found: string[],
): Installment {
  const what = `installment ${row.id}`;
  const facts = receipts.map(factsOf);
  const agreed = {
    amount: cents(row.amount_cents),
    dueOn: row.agreed_due_on as Day,
    terms: termsOf(checkout),
  };
  const { receipts: allocated, installment } = allocateReceipts(agreed, facts);
  const columns = allocated.map(({ applied }) => toColumns(applied));
  for (const [i, receipt] of receipts.entries()) {
    const { checkout_hash, refunded_cents } = receipt;
    const place = { checkout_hash, refunded_cents, ...resultOf(receipt) };
    const right = {
      checkout_hash: checkout.hash,
      refunded_cents: allocated[i]!.facts.refunded,
      ...columns[i],
    };
    const name = receipt.part === 0 ? receipt.reference : `${receipt.reference}, part ${receipt.part},`;
    found.push(...compare(`receipt ${name}`, place, right));
  }
  const kept = figuresOf(installment);
  found.push(
    ...compare(
      what,
      { ...row, paid_at: row.paid_at?.getTime() ?? null },
      {
        due_on: kept.dueOn,
        effective_due_on: kept.effectiveDueOn,
        paid_cents: kept.paid,
        discount_cents: kept.discount,
        outstanding_cents: kept.outstanding,
        penalty_cents: kept.penalty,
        redeemed_cents: redeemedOf(allocated),
        extensions: kept.extensions,
        paid_at: kept.paidAt,
      },
    ),
  );
  const parts = {
    amount: agreed.amount,
    principal: cents(row.principal_cents),
    interest: cents(row.interest_cents),
  };
  const entries: Entry[] = [
    ...agreedEntries(row.id, parts),
    ...facts.flatMap((fact, i) => receiptEntries(row.id, fact, columns[i]!)),
  ];
  found.push(...checkBalances(what, merged(entries), balances));
  return installment;
}

/** What the entries come to, account by account, next to what the facts say. */
function checkBalances(what: string, right: Entry[], balances: Balance[]): string[] {
  const booked = Object.fromEntries(balances.map(({ account, amount_cents }) => [account, amount_cents]));
  const accounts = new Set([...Object.keys(booked), ...right.map(({ account }) => account)]);
  return [...accounts].flatMap((account) => {
    const name = `${account} of its entries`;
    const amount = right.find((entry) => entry.account === account)?.amountCents ?? 0;
    return compare(what, { [name]: booked[account] ?? 0 }, { [name]: amount });
  });
}

function checkCheckout(checkout: AuditedCheckout, installments: Installment[]): string[] {
  const instant = Math.max(checkout.purchased_at.getTime(), ...installments.map((of) => lastFact(of) ?? 0));
  const debts = installments.map((installment) => debtAt(installment, instant));
  const summary = summarise(debts);
  const lateAfter = debts.flatMap(({ status, outstanding, effectiveDueOn }, i) =>
    status === 'paid' ? [] : outstanding > 0 ? effectiveDueOn : installments[i]!.dueOn,
  );
  const settledAt = lateAfter.length > 0 ? null : Math.max(...debts.map(({ paidAt }) => paidAt ?? 0));
  return compare(
    `checkout ${checkout.hash}`,
    { ...checkout, settled_at: checkout.settled_at?.getTime() ?? null },
    {
      paid_cents: summary.paid,
      outstanding_cents: summary.outstanding,
      penalty_cents: sum(installments.map((of) => figuresOf(of).penalty)),
      installments_paid: summary.installmentsPaid,
      next_due_on: summary.nextDueOn,
      late_after: lateAfter.sort()[0] ?? 'infinity',
      settled_at: settledAt,
    },
  );
}
