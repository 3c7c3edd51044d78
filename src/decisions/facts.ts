import type { Facts, Moment, Policy } from '#core/finance/decision.ts';
import { ageOn } from '#core/values/age.ts';
import { daysBetween, saoPauloDay } from '#core/values/day.ts';
import { DAY_MS, HOUR_MS } from '#core/values/duration.ts';
import { centsToReais } from '#core/values/money.ts';
import { findCreditFacts } from '#credit';
import { findPersonFacts } from '#customers';
import { isOrWasMember } from '#members';
import { rateLimited } from '#partners';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { attachProblem, recordAndCountAttempts } from '#platform/http/attempt-limits.ts';
import { BUREAU_FACTS, type Policies, readPolicies, usesFacts } from './policy.ts';
import { type DecisionFacts, findDecisionFacts, findMerchantLossPercent, findStanding } from './store.ts';

export type DecisionRequest = {
  readonly customerId: string;
  readonly moment: Moment;
  readonly now: Date;
  /** Set if a return or a chargeback, not a paid purchase, is the reason to decide on the growth of the limit. */
  readonly cause?: 'reversal';
  readonly purchase?: {
    readonly offerId: string;
    readonly merchant: { readonly id: number; readonly slug: string };
    readonly phoneHash: Buffer;
    readonly totalCents: number;
  };
};

/** How long after its creation an account is young. */
const YOUNG_ACCOUNT_MS = 7 * DAY_MS;

/** Collects the facts for a decision from all modules. The caller has locked the customer. All statements share one round trip. */
export async function gatherFacts(tx: CustomerTx, request: DecisionRequest, builtInPolicy: Policy) {
  const { customerId, moment, cause, now, purchase } = request;
  const today = saoPauloDay(now.getTime());
  const merchantId = purchase?.merchant.id ?? null;
  const offerId = purchase?.offerId ?? null;
  const [personFacts, creditFacts, decisionFacts, policies, standing, lossPercent, isOrWasMemberOfMerchant] =
    await Promise.all([
      findPersonFacts(tx, customerId),
      findCreditFacts(tx, { customerId, merchantId, today, since: new Date(now.getTime() - HOUR_MS) }),
      findDecisionFacts(tx, { customerId, offerId, now }),
      readPolicies(tx, builtInPolicy, customerId),
      findStanding(tx, customerId),
      purchase ? findMerchantLossPercent(tx, { customerId, merchantId: purchase.merchant.id }) : undefined,
      purchase ? isOrWasMember(tx, purchase.merchant.id, purchase.phoneHash) : undefined,
    ]);
  const reportAge = classifyReportAge(decisionFacts, policies.inForce.policy, now);
  // A new report needs the CPF and the terms that the customer accepted.
  const staleReport =
    reportAge === 'stale' && usesFacts(policies, BUREAU_FACTS)
      ? { cpf: personFacts.cpf, consent: decisionFacts.report_consent! }
      : null;
  const facts: Facts = {
    moment,
    limit: centsToReais(personFacts.limitCents),
    owed: centsToReais(creditFacts.owed_cents),
    age_years: personFacts.birthDate && ageOn(today, personFacts.birthDate),
    account_days: Math.max(0, daysBetween(saoPauloDay(personFacts.createdAt.getTime()), today)),
    days_late: creditFacts.days_late,
    worst_days_late: creditFacts.worst_days_late,
    paid_on_time: creditFacts.paid_on_time,
    paid_amount: centsToReais(creditFacts.paid_on_time_cents),
    refusals_month: decisionFacts.refusals_month,
    ...(cause && { cause }),
    ...(moment === 'growth' &&
      decisionFacts.grown_at && { growth_days: countFullDays(decisionFacts.grown_at, now) }),
    ...(moment === 'late' &&
      standing?.lowered_from_cents && { limit_before_late: centsToReais(standing.lowered_from_cents) }),
    ...(reportAge === 'fresh' && {
      bureau_score: decisionFacts.report_score,
      bureau_cpf_irregular: decisionFacts.report_irregular ? 1 : 0,
    }),
    ...(reportAge === 'stale' && { bureau_score: null, bureau_cpf_irregular: null }),
    ...(purchase && {
      amount: centsToReais(purchase.totalCents),
      merchant: purchase.merchant.slug,
      owed_at_merchant: centsToReais(creditFacts.owed_at_merchant_cents),
      merchant_loss_percent: lossPercent!,
      offers_hour: creditFacts.bought_since + 1, // with this purchase
      former_member: isOrWasMemberOfMerchant ? 1 : 0,
    }),
    ...(decisionFacts.reviewer_outcome !== null && { person: decisionFacts.reviewer_outcome }),
  };
  const isYoungAccount = now.getTime() - personFacts.createdAt.getTime() < YOUNG_ACCOUNT_MS;
  return {
    facts,
    policies,
    standing,
    limitCents: personFacts.limitCents,
    staleReport,
    isFirstPurchaseOfYoungAccount:
      isYoungAccount && purchase !== undefined && creditFacts.bought_at_merchant === 0,
  };
}

const countFullDays = (from: Date, to: Date): number => Math.floor((to.getTime() - from.getTime()) / DAY_MS);

function classifyReportAge({ report_asked_at }: DecisionFacts, { bureau_days }: Policy, now: Date) {
  if (report_asked_at === null) return 'none';
  return now.getTime() - report_asked_at.getTime() <= bureau_days * DAY_MS ? 'fresh' : 'stale';
}

/** `recordAndCountAttempts` requires a maximum, but this maximum is never reached: a policy reviews far fewer buyers, and a purchase in review is not counted. */
const MAX_YOUNG_BUYERS = 100_000;

const YOUNG_BUYERS_PER_MERCHANT = attachProblem(
  { kind: 'young_buyer', maxAttempts: MAX_YOUNG_BUYERS, windowMs: DAY_MS },
  rateLimited,
  {
    en: 'Too many new customers bought at this merchant today.',
    pt: 'Clientes novos demais compraram nesta loja hoje.',
  },
);

/**
 * Counts this purchase and the other first purchases of young accounts at the merchant within a day. Locks a row of the merchant until
 * the transaction ends, so each concurrent purchase gets a different count. To avoid this lock, counts nothing if no policy uses the fact. A
 * rollback undoes the count: purchases that are not approved do not count.
 */
export async function gatherYoungBuyerFacts(
  tx: CustomerTx,
  { merchantId, policies, now }: { merchantId: number; policies: Policies; now: Date },
): Promise<Pick<Facts, 'young_buyers_day'>> {
  if (!usesFacts(policies, ['young_buyers_day'])) return {};
  const subject = tx.vault.hash('young_buyer', String(merchantId));
  const counts = await recordAndCountAttempts(tx, [{ ...YOUNG_BUYERS_PER_MERCHANT, subject }], now);
  return { young_buyers_day: counts[YOUNG_BUYERS_PER_MERCHANT.limit.kind]! };
}
