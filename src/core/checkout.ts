import type { Day } from './day.ts';
import type { Debt, InstallmentStatus } from './debt.ts';
import { cents } from './money.ts';

/** The status of a purchase follows from its installments: paid when all are, overdue when any is, else open. */
export function summarise(debts: readonly Debt[]) {
  let [paid, discount, returned, outstanding, penalties, installmentsPaid] = [0, 0, 0, 0, 0, 0];
  let overdue = false;
  let nextDueOn: Day | null = null;
  for (const debt of debts) {
    paid += debt.paid;
    discount += debt.discount;
    returned += debt.returned;
    outstanding += debt.outstanding;
    penalties += debt.fine + debt.interest;
    overdue ||= debt.status === 'overdue';
    if (debt.status === 'paid') installmentsPaid += 1;
    else if (nextDueOn === null || debt.dueOn < nextDueOn) nextDueOn = debt.dueOn;
  }
  const status: InstallmentStatus = installmentsPaid === debts.length ? 'paid' : overdue ? 'overdue' : 'open';
  return {
    status,
    paid: cents(paid),
    discount: cents(discount),
    returned: cents(returned),
    outstanding: cents(outstanding),
    penalties: cents(penalties),
    totalDue: cents(outstanding + penalties),
    installmentsPaid,
    /** The earliest due day of what is not paid. */
    nextDueOn,
  };
}
