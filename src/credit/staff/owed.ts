import { cents, sum, toReais } from '#core/values/money.ts';
import { parseInstallments } from '../purchases/checkout-record.ts';
import { computeDebtNow } from '../purchases/debt-now.ts';
import type { UnsettledCheckoutRow } from '../purchases/reading-store.ts';
import { toTerms } from '../purchases/terms-columns.ts';

/** Renders the debt of these purchases, the longest overdue installment first. */
export function renderOwed(purchases: readonly UnsettledCheckoutRow[], now: Date) {
  const debts = purchases.flatMap((purchase) =>
    parseInstallments(purchase.installments ?? [], purchase.receipts, toTerms(purchase)).map(
      ({ id, number, debt }) => ({ purchase, id, number, ...computeDebtNow(debt, now.getTime()) }),
    ),
  );
  const owed = debts
    .filter(({ totalDue }) => totalDue > 0)
    .sort((a, b) => (a.dueOn === b.dueOn ? a.number - b.number : a.dueOn < b.dueOn ? -1 : 1));
  return {
    at: now.toISOString(),
    outstanding: toReais(sum(owed.map(({ outstanding }) => outstanding))),
    penalties: toReais(sum(owed.map(({ fine, interest }) => cents(fine + interest)))),
    total_due: toReais(sum(owed.map(({ totalDue }) => totalDue))),
    installments: owed.map(({ purchase, id, number, ...debt }) => ({
      id,
      checkout_hash: purchase.hash,
      merchant: { slug: purchase.merchant_slug, name: purchase.merchant_name },
      written_off: purchase.written_off_at !== null,
      number,
      due_on: debt.dueOn,
      status: debt.status,
      outstanding: toReais(debt.outstanding),
      fine: toReais(debt.fine),
      interest: toReais(debt.interest),
      days_late: debt.daysLate,
      total_due: toReais(debt.totalDue),
    })),
  };
}
