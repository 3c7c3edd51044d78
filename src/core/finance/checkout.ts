import type { Day } from '../values/day.ts';
import { cents } from '../values/money.ts';
import type { Debt, InstallmentStatus } from './debt.ts';

/** Summarizes the debts of a purchase. Its status is paid if all installments are, overdue if any is, else open. */
export function summarizeDebts(debts: readonly Debt[]) {
  let [paid, discount, returned, outstanding, penalties, installmentsPaid] = [0, 0, 0, 0, 0, 0];
  let isOverdue = false;
  let nextDueOn: Day | null = null;
  for (const debt of debts) {
    paid += debt.paid;
    discount += debt.discount;
    returned += debt.returned;
    outstanding += debt.outstanding;
    penalties += debt.fine + debt.interest;
    isOverdue ||= debt.status === 'overdue';
    if (debt.status === 'paid') installmentsPaid += 1;
    else if (nextDueOn === null || debt.dueOn < nextDueOn) nextDueOn = debt.dueOn;
  }
  const unpaidStatus = isOverdue ? 'overdue' : 'open';
  const status: InstallmentStatus = installmentsPaid === debts.length ? 'paid' : unpaidStatus;
  return {
    status,
    paid: cents(paid),
    discount: cents(discount),
    returned: cents(returned),
    outstanding: cents(outstanding),
    penalties: cents(penalties),
    totalDue: cents(outstanding + penalties),
    installmentsPaid,
    nextDueOn,
  };
}
