import { addDays, type Day, endOfDay, type Instant, laterDay, saoPauloDay } from '../values/day.ts';
import { MINUTE_MS } from '../values/duration.ts';
import { type Cents, cents, min } from '../values/money.ts';
import { computePercentHalfUp } from '../values/percent.ts';
import type { Debt } from './debt.ts';
import type { Terms } from './terms.ts';

export const CHARGE_TYPES = ['settle', 'settle_with_penalty', 'settle_partial', 'extend'] as const;
export type ChargeType = (typeof CHARGE_TYPES)[number];

export type ChargeOption =
  | { readonly type: 'settle' | 'settle_with_penalty'; readonly value: Cents }
  | { readonly type: 'settle_partial'; readonly min: Cents; readonly max: Cents }
  | { readonly type: 'extend'; readonly value: Cents; readonly dueOn: Day };

export type ChargeRefusal =
  | {
      readonly ok: false;
      readonly code: 'installment_paid' | 'penalty_due' | 'extension_limit' | 'nothing_to_charge';
    }
  | { readonly ok: false; readonly code: 'amount_changed'; readonly value: Cents }
  | {
      readonly ok: false;
      readonly code: 'value_required' | 'value_out_of_range';
      readonly min: Cents;
      readonly max: Cents;
    };

/** The minimum of a partial payment, unless less is due. */
const MIN_PARTIAL = cents(100);

/** Lists the charges that are possible now, in a fixed order. */
export function listChargeOptions(debt: Debt, terms: Terms): ChargeOption[] {
  return CHARGE_TYPES.map((type) => computeOption(debt, terms, type)).filter((option) => 'type' in option);
}

/** Returns the amount of a charge, or why it is not possible. A value sent by the caller must equal the amount due now. */
export function quoteCharge(
  debt: Debt,
  terms: Terms,
  type: ChargeType,
  value?: Cents,
): { readonly ok: true; readonly value: Cents } | ChargeRefusal {
  const option = computeOption(debt, terms, type);
  if (!('type' in option)) return option;
  if (option.type !== 'settle_partial') {
    const hasChanged = value !== undefined && value !== option.value;
    return hasChanged
      ? { ok: false, code: 'amount_changed', value: option.value }
      : { ok: true, value: option.value };
  }
  const { min: minValue, max: maxValue } = option;
  if (value === undefined) return { ok: false, code: 'value_required', min: minValue, max: maxValue };
  if (value < minValue || value > maxValue)
    return { ok: false, code: 'value_out_of_range', min: minValue, max: maxValue };
  return { ok: true, value };
}

/** Returns when a charge expires: at the end of its day in São Paulo, but at least half an hour after its creation. */
export function computeChargeExpiry(createdAt: Instant): Instant {
  return Math.max(endOfDay(saoPauloDay(createdAt)), createdAt + 30 * MINUTE_MS);
}

/** Returns the possible charge of this type, or a refusal, which has no `type`. */
function computeOption(debt: Debt, terms: Terms, type: ChargeType): ChargeOption | ChargeRefusal {
  if (debt.status === 'paid') return { ok: false, code: 'installment_paid' };
  switch (type) {
    case 'settle':
      if (debt.status === 'overdue') return { ok: false, code: 'penalty_due' };
      return { type, value: debt.settleAmount };
    case 'settle_with_penalty':
      return { type, value: debt.settleAmount };
    case 'settle_partial':
      return { type, min: min(MIN_PARTIAL, debt.settleAmount), max: debt.settleAmount };
    case 'extend': {
      const quote = quoteExtension(debt, terms);
      return quote.ok ? { type, value: quote.amount, dueOn: quote.dueOn } : quote;
    }
  }
}

type ExtensionPrice = {
  readonly ok: true;
  readonly interest: Cents;
  readonly fine: Cents;
  readonly fee: Cents;
  readonly amount: Cents;
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
  const fee = computePercentHalfUp(debt.outstanding, terms.extensionFee);
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
