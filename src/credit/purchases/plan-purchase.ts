import type { MerchantWithPlan } from '#catalog';
import { type Cet, computeScheduleCet } from '#core/finance/cet.ts';
import { buildSchedule, type Schedule, type ScheduleRefusal } from '#core/finance/schedule.ts';
import { parseTerms, type Terms, type WireTerms } from '#core/finance/terms.ts';
import type { Bilingual } from '#core/values/bilingual.ts';
import { saoPauloDay } from '#core/values/day.ts';
import { type Cents, cents, describeAmountError, parseReais, sum, toReais } from '#core/values/money.ts';
import { computePercentDown, type Ppm } from '#core/values/percent.ts';
import { FORMAT_MESSAGES } from '#platform/http/validation.ts';
import type { FieldError } from '#platform/problem.ts';
import { amountOutOfRange, termsUnlawful, tooManyInstallments } from '../problems.ts';
import type { Contract } from './contract-store.ts';
import { renderTerms } from './render-checkout.ts';
import { type PayoutTerms, toDefaultTerms } from './terms.ts';

/** The request of the operator, with the names and units of the API. */
export type CheckoutRequest = {
  customer: string;
  merchant: string;
  amount: number;
  installments: number;
  description?: string;
  terms?: Partial<WireTerms>;
  purchased_at?: string;
};

export type PlannedPurchase = {
  readonly purchasedAt: Date;
  readonly terms: Terms;
  readonly schedule: Schedule;
  readonly cet: Cet;
};

export type ApprovedPurchase = PlannedPurchase & {
  readonly customerId: string;
  readonly merchant: Pick<MerchantWithPlan, 'id' | 'slug' | 'name' | 'logo_url'>;
  readonly payout: PayoutTerms;
  readonly description: string | null;
  readonly offerId?: string;
  readonly reference?: string | null;
  /** If set, the purchase gets the hash of the contract. */
  readonly contract?: Contract;
};

export type PurchaseLimits = {
  readonly now: Date;
  readonly maxPurchaseAgeMs: number;
  readonly maxWeeklyRate?: Ppm;
};

/** `law` cites the legal rule that the request violates, if any. */
export type PlanError = FieldError & { readonly law?: string };

/**
 * Returns the plan of a requested purchase, or all errors of the request. The request may override the default terms, which are the
 * terms of the merchant.
 */
export function planPurchase(request: CheckoutRequest, defaultTerms: Terms, limits: PurchaseLimits) {
  const purchasedAt = request.purchased_at === undefined ? limits.now : new Date(request.purchased_at);
  const amount = parseReais(request.amount);
  const termsResult = parseTerms(request.terms ?? {}, defaultTerms, limits.maxWeeklyRate);
  const errors: PlanError[] = [
    ...toFieldErrors('/purchased_at', describeInstantError(purchasedAt, limits)),
    ...toFieldErrors('/amount', amount === null && describeAmountError(request.amount)),
    ...(termsResult.ok ? [] : termsResult.violations).map(({ field, message, law }) => ({
      pointer: `/terms/${field}`,
      message,
      ...(law && { law }),
    })),
  ];
  if (errors.length > 0 || amount === null || !termsResult.ok) return { plan: null, errors };
  const { terms } = termsResult;
  const planResult = buildPlan({ amount, installments: request.installments }, terms, purchasedAt);
  if (planResult.ok) return { plan: planResult.plan, errors: [] };
  const { code, message } = planResult.refusal;
  const pointer = code === 'installments_out_of_range' ? '/installments' : '/amount';
  return { plan: null, errors: [{ pointer, message }] };
}

/** Computes schedule and CET of a purchase, unless the amount is too small for the number of installments. */
export function buildPlan(
  { amount, installments }: { amount: Cents; installments: number },
  terms: Terms,
  purchasedAt: Date,
): { ok: true; plan: PlannedPurchase } | { ok: false; refusal: ScheduleRefusal } {
  const purchasedOn = saoPauloDay(purchasedAt.getTime());
  const { weeklyRate } = terms;
  const scheduleResult = buildSchedule({ financed: amount, installments, weeklyRate, purchasedOn });
  if (!scheduleResult.ok) return scheduleResult;
  const { schedule } = scheduleResult;
  return { ok: true, plan: { purchasedAt, terms, schedule, cet: computeScheduleCet(schedule, purchasedOn) } };
}

/** Returns false if the instant is valid. */
function describeInstantError(purchasedAt: Date, { now, maxPurchaseAgeMs }: PurchaseLimits) {
  const ageMs = now.getTime() - purchasedAt.getTime();
  if (Number.isNaN(ageMs)) return FORMAT_MESSAGES['date-time'];
  if (ageMs < 0) return { en: 'must not be in the future', pt: 'não pode estar no futuro' };
  if (ageMs <= maxPurchaseAgeMs) return false;
  return { en: 'must not be more than 24 hours ago', pt: 'não pode ter mais de 24 horas' };
}

function toFieldErrors(pointer: string, message: Bilingual | false): FieldError[] {
  return message === false ? [] : [{ pointer, message }];
}

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
  const planResult = buildPlan({ amount, installments }, requireLawfulTerms(merchant, maxWeeklyRate), now);
  // Possible only if the minimum of the merchant's plan is a few centavos.
  if (!planResult.ok) throw amountOutOfRange(planResult.refusal);
  return planResult.plan;
}

/** Computes the plans for all numbers of installments that the merchant's plan allows for this amount, in ascending order. */
export function computeAllQuotes(
  merchant: MerchantWithPlan,
  amount: number,
  context: { now: Date; maxWeeklyRate: Ppm },
): PlannedPurchase[] {
  const firstPlan = computeQuote(merchant, { amount, installments: 1 }, context);
  const { terms, schedule } = firstPlan;
  const plans = [firstPlan];
  for (let installments = 2; installments <= merchant.max_installments; installments++) {
    const planResult = buildPlan({ amount: schedule.financed, installments }, terms, context.now);
    // A few centavos cannot be divided into more installments.
    if (!planResult.ok) break;
    plans.push(planResult.plan);
  }
  return plans;
}

/** Returns the terms of the merchant. Throws a problem if they exceed the current limits, which may be newer than the merchant's plan. */
function requireLawfulTerms(merchant: MerchantWithPlan, maxWeeklyRate: Ppm): Terms {
  const termsResult = parseTerms({}, toDefaultTerms(merchant), maxWeeklyRate);
  if (termsResult.ok) return termsResult.terms;
  const { violations } = termsResult;
  const errors = violations.map(({ field, message }) => ({ pointer: `/terms/${field}`, message }));
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
      sum(schedule.installments.map(({ amount }) => computePercentDown(amount, terms.cashback))),
    ),
    terms: renderTerms(terms, cet),
  };
}
