import { ageOn } from '#core/age.ts';
import { daysBetween, saoPauloDay } from '#core/day.ts';
import type { Facts, Moment, Policy } from '#core/decision.ts';
import { DAY_MS, HOUR_MS } from '#core/duration.ts';
import { reaisOf } from '#core/money.ts';
import { findCreditFacts } from '#credit';
import { findPersonFacts } from '#customers';
import { wasMember } from '#members';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { readPolicies } from './policy.ts';
import { findMerchantLoss, findOwnFacts, findStanding, type OwnFacts } from './store.ts';

export type DecisionRequest = {
  readonly customerId: string;
  readonly moment: Moment;
  readonly now: Date;
  readonly purchase?: {
    readonly offerId: string;
    readonly merchant: { readonly id: number; readonly slug: string };
    readonly phoneHash: Buffer;
    readonly totalCents: number;
  };
};

/** Collects what the modules know of a customer. The caller has locked the customer. All statements share one round trip. */
export async function gatherFacts(tx: CustomerTx, asked: DecisionRequest, builtIn: Policy) {
  const { customerId, moment, now, purchase } = asked;
  const today = saoPauloDay(now.getTime());
  const merchantId = purchase?.merchant.id ?? null;
  const offerId = purchase?.offerId ?? null;
  const [person, credit, own, policies, standing, loss, member] = await Promise.all([
    findPersonFacts(tx, customerId),
    findCreditFacts(tx, { customerId, merchantId, today, since: new Date(now.getTime() - HOUR_MS) }),
    findOwnFacts(tx, { customerId, offerId, now }),
    readPolicies(tx, builtIn),
    findStanding(tx, customerId),
    purchase ? findMerchantLoss(tx, purchase.merchant.id) : undefined,
    purchase ? wasMember(tx, purchase.merchant.id, purchase.phoneHash) : undefined,
  ]);
  const report = ageOfReport(own, policies.force.policy, now);
  // The CPF to ask about again, and the terms the customer agreed to.
  const stale = report === 'stale' ? { cpf: person.cpf, consent: own.report_consent! } : null;
  const facts: Facts = {
    moment,
    limit: reaisOf(person.limitCents),
    owed: reaisOf(credit.owed_cents),
    age_years: person.born && ageOn(today, person.born),
    account_days: Math.max(0, daysBetween(saoPauloDay(person.createdAt.getTime()), today)),
    days_late: credit.days_late,
    worst_days_late: credit.worst_days_late,
    paid_on_time: credit.paid_on_time,
    paid_amount: reaisOf(credit.paid_on_time_cents),
    refusals_month: own.refusals_month,
    ...(report === 'fresh' && {
      bureau_score: own.report_score,
      bureau_cpf_irregular: own.report_irregular ? 1 : 0,
    }),
    ...(report === 'stale' && { bureau_score: null, bureau_cpf_irregular: null }),
    ...(purchase && {
      amount: reaisOf(purchase.totalCents),
      merchant: purchase.merchant.slug,
      owed_at_merchant: reaisOf(credit.owed_at_merchant_cents),
      merchant_loss_percent: loss!,
      offers_hour: credit.bought_since + 1,
      former_member: member ? 1 : 0,
    }),
    ...(own.person !== null && { person: own.person }),
  };
  return { facts, policies, standing, limitCents: person.limitCents, stale };
}

function ageOfReport(
  { report_asked_at: at }: OwnFacts,
  { bureau_days }: Policy,
  now: Date,
): 'none' | 'fresh' | 'stale' {
  if (at === null) return 'none';
  return now.getTime() - at.getTime() <= bureau_days * DAY_MS ? 'fresh' : 'stale';
}
