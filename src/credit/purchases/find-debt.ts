import type { Day, Instant } from '#core/day.ts';
import type { Debt } from '#core/debt.ts';
import { type Cents, cents } from '#core/money.ts';
import type { Terms } from '#core/terms.ts';
import type { Queryable } from '#platform/database/db.ts';
import { debtNow, lastFact } from './debt-now.ts';
import { toEvent } from './receipt.ts';
import { findInstallment } from './store.ts';
import { termsOf } from './terms-columns.ts';

type InstallmentDebt = {
  readonly checkoutHash: string;
  readonly merchantName: string;
  readonly number: number;
  /** What of the amount was taken off with cashback. */
  readonly redeemed: Cents;
  readonly installmentsTotal: number;
  /** The instant of the debt: now, or the last known event, if that is later. */
  readonly at: Instant;
  readonly debt: Debt;
  readonly terms: Terms;
};

/** What is owed now on an installment, for a charge; undefined when the customer has no such installment. */
export async function findDebt(
  db: Queryable,
  customerId: string,
  installmentId: string,
  now: Instant,
): Promise<InstallmentDebt | undefined> {
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
    redeemed: cents(row.redeemed_cents),
    installmentsTotal: row.installments_total,
    at: Math.max(now, lastFact({ ...agreed, events }) ?? now),
    debt: debtNow({ ...agreed, events }, now),
    terms,
  };
}
