import { addDays, type Day, laterDay } from '../values/day.ts';
import { type Cents, cents } from '../values/money.ts';
import { percentHalfUp } from '../values/percent.ts';
import type { Debt } from './debt.ts';
import type { Terms } from './terms.ts';

type ExtensionPrice = {
  readonly ok: true;
  readonly interest: Cents;
  readonly fine: Cents;
  readonly fee: Cents;
  /** The sum of interest, fine and fee. */
  readonly amount: Cents;
  /** The new due day if the extension is paid today. */
  readonly dueOn: Day;
};

type ExtensionRefusal = {
  readonly ok: false;
  /** nothing_to_charge: only penalties are outstanding, or the fee is less than half a centavo. */
  readonly code: 'installment_paid' | 'extension_limit' | 'nothing_to_charge';
};

/** Computes the price of an extension: the accrued penalties and a fee on the outstanding amount, which itself does not change. */
export function quoteExtension(debt: Debt, terms: Terms): ExtensionPrice | ExtensionRefusal {
  if (debt.status === 'paid') return { ok: false, code: 'installment_paid' };
  if (debt.extensions >= terms.extensionLimit) return { ok: false, code: 'extension_limit' };
  const { interest, fine } = debt;
  const fee = percentHalfUp(debt.outstanding, terms.extensionFee);
  const amount = cents(interest + fine + fee);
  if (debt.outstanding === 0 || amount === 0) return { ok: false, code: 'nothing_to_charge' };
  return {
    ok: true,
    interest,
    fine,
    fee,
    amount,
    dueOn: addDays(laterDay(debt.dueOn, debt.today), terms.extensionDays),
  };
}
