import type { MerchantWithPlan } from '#catalog';
import { parseTerms, type Terms } from '#core/finance/terms.ts';
import { cents, parseReais, sum, toReais } from '#core/values/money.ts';
import { type Ppm, percentDown } from '#core/values/percent.ts';
import { amountOutOfRange, termsUnlawful, tooManyInstallments } from '../problems.ts';
import { toDefaultTerms } from './merchant-plan.ts';
import { buildPlan, type PlannedPurchase } from './plan-purchase.ts';
import { renderTerms } from './render-checkout.ts';

/** The requested purchase, with the names and units of the API. */
export type QuoteRequest = { readonly amount: number; readonly installments: number };

/** Computes the plan of a purchase at this merchant now. Throws a problem if the merchant's plan does not allow it. */
export function computeQuote(
  merchant: MerchantWithPlan,
  { amount: amountReais, installments }: QuoteRequest,
  { now, maxWeeklyRate }: { now: Date; maxWeeklyRate: Ppm },
): PlannedPurchase {
  const amount = parseReais(amountReais)!;
  const [min, max] = [cents(merchant.min_amount_cents), cents(merchant.max_amount_cents)];
  if (amount < min || amount > max) throw amountOutOfRange({ min, max });
  const { max_installments: maxInstallments } = merchant;
  if (installments > maxInstallments) throw tooManyInstallments(maxInstallments);
  const result = buildPlan({ amount, installments }, requireLawfulTerms(merchant, maxWeeklyRate), now);
  // Possible only if the minimum of the merchant's plan is a few centavos.
  if (!result.ok) throw amountOutOfRange(result.refusal);
  return result.plan;
}

/** Computes the plans for all numbers of installments that the merchant's plan allows for this amount, in ascending order. */
export function computeAllQuotes(
  merchant: MerchantWithPlan,
  amount: number,
  context: { now: Date; maxWeeklyRate: Ppm },
): PlannedPurchase[] {
  const { terms, schedule, ...first } = computeQuote(merchant, { amount, installments: 1 }, context);
  const plans: PlannedPurchase[] = [{ ...first, terms, schedule }];
  for (let installments = 2; installments <= merchant.max_installments; installments++) {
    const result = buildPlan({ amount: schedule.financed, installments }, terms, context.now);
    // A few centavos cannot be divided into more installments.
    if (!result.ok) break;
    plans.push(result.plan);
  }
  return plans;
}

/** Checks the terms again, because the operator may have set the plan before the current limits. */
function requireLawfulTerms(merchant: MerchantWithPlan, maxWeeklyRate: Ppm): Terms {
  const parsed = parseTerms({}, toDefaultTerms(merchant), maxWeeklyRate);
  if (parsed.ok) return parsed.terms;
  const errors = parsed.violations.map(({ field, message }) => ({ pointer: `/terms/${field}`, message }));
  throw termsUnlawful('merchant', errors);
}

export function renderQuote({ schedule, terms, cet }: PlannedPurchase) {
  return {
    amount: toReais(schedule.financed),
    installments: schedule.installments.map(({ number, dueOn, amount }) => ({
      number,
      due_on: dueOn as string,
      amount: toReais(amount),
    })),
    total: toReais(schedule.total),
    cost: toReais(schedule.interest),
    cashback_if_on_time: toReais(
      sum(schedule.installments.map(({ amount }) => percentDown(amount, terms.cashback))),
    ),
    terms: renderTerms(terms, cet),
  };
}
