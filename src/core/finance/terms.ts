import type { Bilingual } from '../values/bilingual.ts';
import { type Ppm, parsePercent, ppm, toPercent } from '../values/percent.ts';

/** The terms of a purchase, agreed once and frozen on the checkout. */
export type Terms = {
  readonly weeklyRate: Ppm;
  readonly fine: Ppm;
  /** Per month of 30 days. */
  readonly lateInterest: Ppm;
  readonly extensionFee: Ppm;
  readonly extensionDays: number;
  readonly extensionLimit: number;
  readonly cashback: Ppm;
};

/** The terms in the wire format and in the database: percentages as numbers. */
export type WireTerms = {
  readonly weekly_rate_percent: number;
  readonly fine_percent: number;
  readonly late_interest_percent: number;
  readonly extension_fee_percent: number;
  readonly extension_days: number;
  readonly extension_limit: number;
  readonly cashback_percent: number;
};

type TermsField = keyof WireTerms;

type TermsViolation = {
  readonly field: TermsField;
  readonly code:
    | 'not_a_percentage'
    | 'not_an_integer'
    | 'out_of_range'
    | 'fine_over_legal_cap'
    | 'late_interest_over_legal_cap'
    | 'extension_fee_over_cap'
    | 'weekly_rate_over_cap';
  readonly message: Bilingual;
  /** The law that the value breaks, if any. */
  readonly law?: string;
};

/** The default terms of a purchase. Cashback is set by the merchant. */
export const DEFAULT_TERMS: Terms = Object.freeze({
  weeklyRate: ppm(0),
  fine: ppm(20_000),
  lateInterest: ppm(10_000),
  extensionFee: ppm(50_000),
  extensionDays: 7,
  extensionLimit: 2,
  cashback: ppm(0),
});

/** The upper bound of a percentage. `suffix` ends the error message, after the bound. */
type Bound = {
  readonly field: TermsField;
  readonly termsKey: 'weeklyRate' | 'fine' | 'lateInterest' | 'extensionFee' | 'cashback';
  readonly maxPercent: number;
  readonly code: TermsViolation['code'];
  readonly law?: string;
  readonly suffix?: Bilingual;
};

const BOUNDS: readonly Bound[] = [
  {
    field: 'fine_percent',
    termsKey: 'fine',
    maxPercent: 2,
    code: 'fine_over_legal_cap',
    law: 'CDC art. 52 §1',
    suffix: { en: ' of the installment', pt: ' da parcela' },
  },
  {
    field: 'late_interest_percent',
    termsKey: 'lateInterest',
    maxPercent: 1,
    code: 'late_interest_over_legal_cap',
    law: 'STJ Súmula 379',
    suffix: { en: ' a month', pt: ' ao mês' },
  },
  {
    field: 'extension_fee_percent',
    termsKey: 'extensionFee',
    maxPercent: 10,
    code: 'extension_fee_over_cap',
    law: 'CDC art. 51 IV',
    suffix: { en: ' of the outstanding amount', pt: ' do valor em aberto' },
  },
  { field: 'cashback_percent', termsKey: 'cashback', maxPercent: 100, code: 'out_of_range' },
];

export const MAX_WEEKLY_RATE = ppm(50_000);

const buildWeeklyRateBound = (maxRate: Ppm): Bound => ({
  field: 'weekly_rate_percent',
  termsKey: 'weeklyRate',
  maxPercent: toPercent(maxRate),
  code: 'weekly_rate_over_cap',
  law: 'CDC art. 51 IV',
  suffix: { en: ' a week, the limit set by MAX_WEEKLY_RATE', pt: ' por semana, como define MAX_WEEKLY_RATE' },
});

const INTEGER_BOUNDS = [
  { field: 'extension_days', termsKey: 'extensionDays', min: 1, max: 90 },
  { field: 'extension_limit', termsKey: 'extensionLimit', min: 0, max: 52 },
] as const;

/** Parses the terms of a request. Missing terms get defaults, which are checked against the same bounds. Reports all violations. */
export function parseTerms(
  input: Partial<Record<TermsField, unknown>>,
  defaults: Terms = DEFAULT_TERMS,
  maxWeeklyRate: Ppm = MAX_WEEKLY_RATE,
):
  | { readonly ok: true; readonly terms: Terms }
  | { readonly ok: false; readonly violations: readonly TermsViolation[] } {
  const terms = { ...defaults };
  const violations: TermsViolation[] = [];
  const bounds = [buildWeeklyRateBound(maxWeeklyRate), ...BOUNDS];
  for (const { field, termsKey, maxPercent, code, law, suffix } of bounds) {
    const value = input[field] === undefined ? toPercent(defaults[termsKey]) : input[field];
    const rate = parsePercent(value);
    if (rate === null) {
      const message = {
        en: `${field} must be a number from 0 to ${maxPercent} with at most four decimals`,
        pt: `${field} deve ser um número de 0 a ${maxPercent} com até quatro casas decimais`,
      };
      violations.push({ field, code: 'not_a_percentage', message });
    } else if (toPercent(rate) > maxPercent) {
      const source = law ? ` (${law})` : '';
      const message = {
        en: `${field} is at most ${maxPercent} %${suffix?.en ?? ''}${source}`,
        pt: `${field} é no máximo ${maxPercent} %${suffix?.pt ?? ''}${source}`,
      };
      violations.push({ field, code, message, ...(law && { law }) });
    } else {
      terms[termsKey] = rate;
    }
  }
  for (const { field, termsKey, min, max } of INTEGER_BOUNDS) {
    const value = input[field];
    if (value === undefined) continue;
    const message = {
      en: `${field} must be a whole number from ${min} to ${max}`,
      pt: `${field} deve ser um número inteiro de ${min} a ${max}`,
    };
    if (typeof value !== 'number' || !Number.isInteger(value)) {
      violations.push({ field, code: 'not_an_integer', message });
    } else if (value < min || value > max) {
      violations.push({ field, code: 'out_of_range', message });
    } else {
      terms[termsKey] = value + 0; // turns -0 into 0
    }
  }
  return violations.length > 0 ? { ok: false, violations } : { ok: true, terms: Object.freeze(terms) };
}

export function toWireTerms(terms: Terms): WireTerms {
  return {
    weekly_rate_percent: toPercent(terms.weeklyRate),
    fine_percent: toPercent(terms.fine),
    late_interest_percent: toPercent(terms.lateInterest),
    extension_fee_percent: toPercent(terms.extensionFee),
    extension_days: terms.extensionDays,
    extension_limit: terms.extensionLimit,
    cashback_percent: toPercent(terms.cashback),
  };
}
