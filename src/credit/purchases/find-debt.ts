import type { Debt } from '#core/finance/debt.ts';
import { type Day, type Instant, startOfDay } from '#core/values/day.ts';
import { type Cents, cents } from '#core/values/money.ts';
import type { Queryable } from '#platform/database/db.ts';
import { parseInstallments } from './checkout-record.ts';
import { findCheckoutRecord } from './reading-store.ts';
import { computeDebtNow, findLastEventAt, toDebtEvent } from './receipt.ts';
import { renderInstallment } from './render-checkout.ts';
import { findInstallment } from './store.ts';
import { toTerms } from './terms.ts';

export type PurchaseDebts = {
  readonly merchantName: string;
  /** Whether nothing more is collected: the purchase is paid, returned in full or written off. */
  readonly isClosed: boolean;
  readonly installments: ReadonlyArray<{
    readonly id: string;
    readonly number: number;
    readonly debt: Debt;
    /** The amount that settles the installment at the start of its effective due day if nothing is paid until then. */
    readonly settleAmountOnDueDay: Cents;
  }>;
};

/** Computes the debt of each installment of a purchase. Returns undefined if the customer has no such purchase. */
export async function findPurchaseDebts(db: Queryable, customerId: string, hash: string, now: Instant) {
  const row = await findCheckoutRecord(db, customerId, hash);
  if (!row) return undefined;
  const records = parseInstallments(row.installments, row.receipts, toTerms(row));
  const installments = records.map(({ id, number, debtFacts }) => {
    const debt = computeDebtNow(debtFacts, now);
    const dueDayStart = Math.max(now, startOfDay(debt.effectiveDueOn));
    return { id, number, debt, settleAmountOnDueDay: computeDebtNow(debtFacts, dueDayStart).settleAmount };
  });
  const isSettled = installments.every(({ debt }) => debt.status === 'paid');
  return {
    merchantName: row.merchant_name,
    isClosed: row.returned_at !== null || row.written_off_at !== null || isSettled,
    installments,
  };
}

/** Computes the debt of an installment, for a charge. Returns undefined if the customer has no such installment. */
export async function findDebt(db: Queryable, customerId: string, installmentId: string, now: Instant) {
  const row = await findInstallment(db, customerId, installmentId);
  if (!row) return undefined;
  const terms = toTerms(row);
  const listReceiptEvents = () =>
    (row.receipts ?? []).flatMap(
      (receipt) => toDebtEvent(receipt, receipt.received_at_ms, receipt.reversed_at_ms) ?? [],
    );
  const events = row.history ?? listReceiptEvents();
  const agreedInstallment = { amount: cents(row.amount_cents), dueOn: row.agreed_due_on as Day, terms };
  return {
    checkoutHash: row.checkout_hash,
    merchantName: row.merchant_name,
    number: row.number,
    redeemed: cents(row.redeemed_cents),
    installmentsTotal: row.installments_total,
    /** The instant of the debt: now, or the last known event if that is later. */
    debtAt: Math.max(now, findLastEventAt({ ...agreedInstallment, events }) ?? now),
    debt: computeDebtNow({ ...agreedInstallment, events }, now),
    terms,
  };
}

/** Renders an installment in the same way as its purchase does. Returns undefined if the customer has no such installment. */
export async function findInstallmentView(db: Queryable, customerId: string, id: string, now: Instant) {
  const installment = await findDebt(db, customerId, id, now);
  return installment && renderInstallment({ id, ...installment }, installment.debt, installment.terms);
}
