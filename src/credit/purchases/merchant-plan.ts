import type { MerchantPlan } from '#catalog';
import { DEFAULT_TERMS, type Terms } from '#core/finance/terms.ts';
import { type Ppm, parsePercent } from '#core/values/percent.ts';

/** The operator's fee on a sale, and the business days until the rest is paid out to the merchant. */
export type PayoutTerms = { readonly merchantFee: Ppm; readonly days: number };

export function toDefaultTerms(plan: MerchantPlan): Terms {
  const [weeklyRate, cashback] = [plan.weekly_rate_percent, plan.cashback_percent].map(
    (text) => parsePercent(text)!,
  );
  return { ...DEFAULT_TERMS, weeklyRate: weeklyRate!, cashback: cashback! };
}

export function toPayoutTerms(plan: MerchantPlan): PayoutTerms {
  return { merchantFee: parsePercent(plan.merchant_fee_percent)!, days: plan.payout_days };
}
