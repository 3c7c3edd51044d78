import type { SellingMerchant } from '#catalog';
import { cents, parseReais, sum, toReais } from '#core/money.ts';
import { type Ppm, percentDown } from '#core/percent.ts';
import { parseTerms, type Terms } from '#core/terms.ts';
import { amountOutOfRange, termsUnlawful, tooManyInstallments } from '../problems.ts';
import { usualTerms } from './merchant-plan.ts';
import { makePlan, type Plan } from './plan-purchase.ts';
import { renderTerms } from './render-checkout.ts';

/** The purchase that is asked about, as on the wire. */
export type QuoteRequest = { readonly amount: number; readonly installments: number };

/** What a purchase at this merchant would cost now, on the terms and within the bounds of its plan. */
export function quote(
  merchant: SellingMerchant,
  { amount: reais, installments }: QuoteRequest,
  { now, maxWeeklyRate }: { now: Date; maxWeeklyRate: Ppm },
): Plan {
  const amount = parseReais(reais)!;
  const [min, max] = [cents(merchant.min_amount_cents), cents(merchant.max_amount_cents)];
  if (amount < min || amount > max) throw amountOutOfRange({ min, max });
  const { max_installments: most } = merchant;
  if (installments > most) throw tooManyInstallments(most);
  const made = makePlan({ amount, installments }, lawfulTerms(merchant, maxWeeklyRate), now);
  // Possible only on a plan whose minimum is a few centavos.
  if (!made.ok) throw amountOutOfRange(made.refusal);
  return made.plan;
}

/** A plan is set by the operator, and may be older than the current bounds. */
function lawfulTerms(merchant: SellingMerchant, maxWeeklyRate: Ppm): Terms {
  const parsed = parseTerms({}, usualTerms(merchant), maxWeeklyRate);
  if (parsed.ok) return parsed.terms;
  const errors = parsed.violations.map(({ field, message }) => ({ pointer: `/terms/${field}`, message }));
  throw termsUnlawful('merchant', errors);
}

export function renderQuote({ schedule, terms, cet }: Plan) {
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
