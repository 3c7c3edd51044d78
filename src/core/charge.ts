import { type Day, endOfDay, type Instant, saoPauloDay } from './day.ts';
import type { Debt } from './debt.ts';
import { MINUTE_MS } from './duration.ts';
import { extensionPrice } from './extension.ts';
import { type Cents, cents, min } from './money.ts';
import type { Terms } from './terms.ts';

export const CHARGE_TYPES = ['settle', 'settle_with_penalty', 'settle_partial', 'extend'] as const;
export type ChargeType = (typeof CHARGE_TYPES)[number];

/** What can be charged now, and for how much. */
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

const LEAST_PARTIAL = cents(100);

/** Every type that is possible now, in a fixed order. */
export function chargeOptions(debt: Debt, terms: Terms): ChargeOption[] {
  return CHARGE_TYPES.map((type) => optionOf(debt, terms, type)).filter((option) => 'type' in option);
}

/** The amount of a charge of that type, or why it is not possible. A value that the caller sent must equal what is due now. */
export function quoteCharge(
  debt: Debt,
  terms: Terms,
  type: ChargeType,
  value?: Cents,
): { readonly ok: true; readonly value: Cents } | ChargeRefusal {
  const option = optionOf(debt, terms, type);
  if (!('type' in option)) return option;
  if (option.type !== 'settle_partial') {
    const changed = value !== undefined && value !== option.value;
    return changed
      ? { ok: false, code: 'amount_changed', value: option.value }
      : { ok: true, value: option.value };
  }
  const { min: least, max: most } = option;
  if (value === undefined) return { ok: false, code: 'value_required', min: least, max: most };
  if (value < least || value > most) return { ok: false, code: 'value_out_of_range', min: least, max: most };
  return { ok: true, value };
}

/** A charge is valid until the end of the São Paulo day, but at least half an hour. */
export function chargeExpiry(createdAt: Instant): Instant {
  return Math.max(endOfDay(saoPauloDay(createdAt)), createdAt + 30 * MINUTE_MS);
}

function optionOf(
  debt: Debt,
  terms: Terms,
  type: ChargeType,
): ChargeOption | Extract<ChargeRefusal, { ok: false }> {
  if (debt.status === 'paid') return { ok: false, code: 'installment_paid' };
  switch (type) {
    case 'settle':
      if (debt.status === 'overdue') return { ok: false, code: 'penalty_due' };
      return { type, value: debt.settleAmount };
    case 'settle_with_penalty':
      return { type, value: debt.settleAmount };
    case 'settle_partial':
      return { type, min: min(LEAST_PARTIAL, debt.settleAmount), max: debt.settleAmount };
    case 'extend': {
      const price = extensionPrice(debt, terms);
      return price.ok ? { type, value: price.amount, dueOn: price.dueOn } : price;
    }
  }
}
