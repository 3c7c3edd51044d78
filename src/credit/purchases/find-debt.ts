import { type Day, type Instant, startOfDay } from '#core/day.ts';
import type { Debt } from '#core/debt.ts';
import { type Cents, cents } from '#core/money.ts';
import type { Queryable } from '#platform/database/db.ts';
import { readInstallments } from './checkout-record.ts';
import { debtNow, lastFact } from './debt-now.ts';
import { findCheckoutRecord } from './reading-store.ts';
import { toEvent } from './receipt.ts';
import { renderInstallment } from './render-checkout.ts';
import { findInstallment } from './store.ts';
import { termsOf } from './terms-columns.ts';

export type PurchaseDebts = {
  readonly merchantName: string;
  /** Nothing more is to be collected: it was returned whole or written off, or all of it is paid. */
  readonly isOver: boolean;
  readonly installments: ReadonlyArray<{
    readonly id: string;
    readonly number: number;
    readonly debt: Debt;
    /** What settles it at the start of its effective due day, should nothing happen until then. */
    readonly settlesOnDueDay: Cents;
  }>;
};

/** What is owed now on each installment of a purchase; undefined when the customer has no such purchase. */
export async function findPurchaseDebts(
  db: Queryable,
  customerId: string,
  hash: string,
  now: Instant,
): Promise<PurchaseDebts | undefined> {
  const row = await findCheckoutRecord(db, customerId, hash);
  if (!row) return undefined;
  const record = readInstallments(row.installments, row.receipts, termsOf(row));
  const installments = record.map(({ id, number, debt: facts }) => {
    const debt = debtNow(facts, now);
    const then = Math.max(now, startOfDay(debt.effectiveDueOn));
    return { id, number, debt, settlesOnDueDay: debtNow(facts, then).settleAmount };
  });
  const isSettled = installments.every(({ debt }) => debt.status === 'paid');
  return {
    merchantName: row.merchant_name,
    isOver: row.returned_at !== null || row.written_off_at !== null || isSettled,
    installments,
  };
}

/** What is owed now on an installment, for a charge; undefined when the customer has no such installment. */
export async function findDebt(db: Queryable, customerId: string, installmentId: string, now: Instant) {
  const row = await findInstallment(db, customerId, installmentId);
  if (!row) return undefined;
  const terms = termsOf(row);
  const own = () =>
    (row.receipts ?? []).flatMap(
      (receipt) => toEvent(receipt, receipt.received_at_ms, receipt.reversed_at_ms) ?? [],
    );
  const events = row.history ?? own();
  const agreed = { amount: cents(row.amount_cents), dueOn: row.agreed_due_on as Day, terms };
  return {
    checkoutHash: row.checkout_hash,
    merchantName: row.merchant_name,
    number: row.number,
    /** What of the amount was taken off with cashback. */
    redeemed: cents(row.redeemed_cents),
    installmentsTotal: row.installments_total,
    /** The instant of the debt: now, or the last known event, if that is later. */
    at: Math.max(now, lastFact({ ...agreed, events }) ?? now),
    debt: debtNow({ ...agreed, events }, now),
    terms,
  };
}

/** An installment of its purchase; undefined when the customer has no such installment. */
export async function showInstallment(db: Queryable, customerId: string, id: string, now: Instant) {
  const owed = await findDebt(db, customerId, id, now);
  return owed && renderInstallment({ id, ...owed }, owed.debt, owed.terms);
}
