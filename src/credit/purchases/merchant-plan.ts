import type { MerchantPlan } from '#catalog';
import { type Ppm, parsePercent } from '#core/percent.ts';
import { DEFAULT_TERMS, type Terms } from '#core/terms.ts';

/** What the merchant gets of a sale, and when: the operator's fee, and business days until the rest is paid out. */
export type PayoutTerms = { readonly merchantFee: Ppm; readonly days: number };

export function usualTerms(plan: MerchantPlan): Terms {
  const [weeklyRate, cashback] = [plan.weekly_rate_percent, plan.cashback_percent].map(
    (text) => parsePercent(text)!,
  );
  return { ...DEFAULT_TERMS, weeklyRate: weeklyRate!, cashback: cashback! };
}

export function payoutTerms(plan: MerchantPlan): PayoutTerms {
  return { merchantFee: parsePercent(plan.merchant_fee_percent)!, days: plan.payout_days };
}
