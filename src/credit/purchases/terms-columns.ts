import type { Cet } from '#core/cet.ts';
import { ppm } from '#core/percent.ts';
import type { Terms } from '#core/terms.ts';

/** The terms as stored on a checkout. */
export type TermsColumns = {
  weekly_rate_ppm: number;
  fine_ppm: number;
  late_interest_ppm: number;
  extension_fee_ppm: number;
  extension_days: number;
  extension_limit: number;
  cashback_ppm: number;
};

export type CetColumns = { cet_month_ppm: number; cet_year_ppm: number };

export const cetIn = (row: CetColumns): Cet => ({
  month: ppm(row.cet_month_ppm),
  year: ppm(row.cet_year_ppm),
});

export function termsOf(row: TermsColumns): Terms {
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
