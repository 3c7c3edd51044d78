import type { MerchantPlan } from '#catalog';
import type { Cet } from '#core/finance/cet.ts';
import { DEFAULT_TERMS, type Terms } from '#core/finance/terms.ts';
import { type Ppm, parsePercent, ppm } from '#core/values/percent.ts';
import { column, columns, type RowOf } from '#platform/database/columns.ts';

export const termsColumns = columns({
  weekly_rate_ppm: column.integer(),
  fine_ppm: column.integer(),
  late_interest_ppm: column.integer(),
  extension_fee_ppm: column.integer(),
  extension_days: column.smallint(),
  extension_limit: column.smallint(),
  cashback_ppm: column.integer(),
});
export type TermsColumns = RowOf<typeof termsColumns>;

export type CetColumns = { cet_month_ppm: number; cet_year_ppm: number };

export const toCet = (row: CetColumns): Cet => ({
  month: ppm(row.cet_month_ppm),
  year: ppm(row.cet_year_ppm),
});

export function toTerms(row: TermsColumns): Terms {
  return {
    weeklyRate: ppm(row.weekly_rate_ppm),
    fine: ppm(row.fine_ppm),
    lateInterest: ppm(row.late_interest_ppm),
    extensionFee: ppm(row.extension_fee_ppm),
    extensionDays: row.extension_days,
    extensionLimit: row.extension_limit,
    cashback: ppm(row.cashback_ppm),
  };
}

export const toTermsColumns = (terms: Terms): TermsColumns => ({
  weekly_rate_ppm: terms.weeklyRate,
  fine_ppm: terms.fine,
  late_interest_ppm: terms.lateInterest,
  extension_fee_ppm: terms.extensionFee,
  extension_days: terms.extensionDays,
  extension_limit: terms.extensionLimit,
  cashback_ppm: terms.cashback,
});

/** The operator's fee on a sale, and the business days until the rest is paid out to the merchant. */
export type PayoutTerms = { readonly merchantFee: Ppm; readonly days: number };

export function toDefaultTerms(plan: MerchantPlan): Terms {
  const weeklyRate = parsePercent(plan.weekly_rate_percent)!;
  const cashback = parsePercent(plan.cashback_percent)!;
  return { ...DEFAULT_TERMS, weeklyRate, cashback };
}

export function toPayoutTerms(plan: MerchantPlan): PayoutTerms {
  return { merchantFee: parsePercent(plan.merchant_fee_percent)!, days: plan.payout_days };
}
