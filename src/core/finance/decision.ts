import type { Bilingual } from '../values/bilingual.ts';
import { type Cents, cents, describeAmountError, min, parseReais } from '../values/money.ts';

export const MOMENTS = ['signup', 'accept', 'growth', 'late', 'review'] as const;
export type Moment = (typeof MOMENTS)[number];
export const OUTCOMES = ['approved', 'review', 'declined'] as const;
export type DecisionOutcome = (typeof OUTCOMES)[number];

/**
 * All facts that a policy may use, and the direction in which they get worse: a `high` fact is bad from a threshold on, a `low` fact below
 * a threshold.
 */
export const FACT_DIRECTIONS = {
  age_years: 'low',
  account_days: 'low',
  bureau_score: 'low',
  bureau_cpf_irregular: 'high',
  days_late: 'high',
  worst_days_late: 'high',
  refusals_month: 'high',
  merchant_loss_percent: 'high',
  offers_hour: 'high',
  signups_address_day: 'high',
  signups_network_day: 'high',
  signups_device: 'high',
  referral_ring: 'high',
  former_member: 'high',
  young_buyers_day: 'high',
} as const;
export type GradedFact = keyof typeof FACT_DIRECTIONS;
export const GRADED_FACTS = Object.keys(FACT_DIRECTIONS) as GradedFact[];

/**
 * The facts about a person for a decision, without names. A graded fact is null if it was requested but is unknown, and left out if it does
 * not apply at that moment. Amounts are in reais.
 */
export type Facts = { readonly [F in GradedFact]?: number | null } & {
  readonly moment: Moment;
  /** The limit before the decision, and the used part of it. */
  readonly limit?: number;
  readonly owed?: number;
  /** The limit before it fell because of an overdue installment. */
  readonly limit_before_late?: number;
  /** Days since the limit last grew. */
  readonly growth_days?: number;
  /** `reversal`: a return or a chargeback caused the decision. */
  readonly cause?: 'reversal';
  /**
   * The number of purchases paid off without a late installment, and the amount paid for them. Purchases that were returned, or whose
   * last installment was paid less than 7 days after the purchase, do not count.
   */
  readonly paid_on_time?: number;
  readonly paid_amount?: number;
  /** The amount of the requested purchase, with interest. */
  readonly amount?: number;
  readonly merchant?: string;
  readonly owed_at_merchant?: number;
  /** The decision of a staff user on this purchase. */
  readonly person?: 'approved' | 'declined';
};

/** Thresholds of a fact. A `high` fact reaches a threshold from the number on, a `low` fact below it. */
type Rule = { readonly review?: number; readonly declined?: number };

export type Policy = {
  readonly first_limit: number;
  readonly growth: ReadonlyArray<{ paid_on_time: number; paid_amount: number; limit: number }>;
  /** If an installment of the last year was `days` late or more, `keep_percent` of the limit remains. */
  readonly late: ReadonlyArray<{ days: number; keep_percent: number }>;
  readonly rules: { readonly [F in GradedFact]?: Rule };
  /** Fraud signals. The weights of facts that reach the threshold `at` are added up. */
  readonly signals: { readonly [F in GradedFact]?: { readonly at: number; readonly weight: number } };
  /** The sums of weights from which a purchase is reviewed or declined. */
  readonly review_weight: number;
  readonly decline_weight: number;
  readonly merchant_caps: ReadonlyArray<{ merchant: string; limit: number }>;
  /** How many days a report of the credit bureau is used. */
  readonly bureau_days: number;
};

export type Decision = {
  readonly outcome: DecisionOutcome;
  readonly limit: Cents;
  /** Stable codes. Most are names of facts. */
  readonly reasons: readonly string[];
};

/** Decides from these values alone: the same facts and policy always give the same decision. */
export function decide(facts: Facts, policy: Policy): Decision {
  const limit = toCents(facts.limit ?? 0);
  const { outcome, reasons } = judge(facts, policy);
  switch (facts.moment) {
    case 'signup':
      return outcome === 'approved'
        ? { outcome, limit: toCents(policy.first_limit), reasons: ['first_limit'] }
        : { outcome, limit: cents(0), reasons };
    case 'accept':
      return { outcome, limit, reasons };
    case 'growth':
      if (facts.cause === 'reversal') return lowerToHistoryLimit(facts, policy);
      return outcome === 'approved' ? raiseLimit(facts, policy) : { outcome, limit, reasons };
    case 'late':
      if (facts.days_late === 0) return restoreLimit(facts, policy);
      return { outcome: 'declined', limit: min(limit, toCents(facts.owed ?? 0)), reasons: ['days_late'] };
    case 'review':
      return { outcome: 'review', limit, reasons: ['asked_by_customer'] };
  }
}

type Judgement = Pick<Decision, 'outcome' | 'reasons'>;

/** The number of CPFs on a device that was seen before. */
const CPFS_ON_SEEN_DEVICE = 2;

/**
 * Hiding a fact never helps. A fact that the customer can hide counts as a bad one: a sign-up without a device id is treated as one on
 * a device that was seen before. Another unknown fact is ignored, unless its worst value would prevent an approval: then a staff user
 * reviews the decision.
 */
function judge(facts: Facts, policy: Policy): Judgement {
  if (facts.signups_device !== null) return judgeWithUnknowns(facts, policy);
  const { outcome, reasons } = judgeWithUnknowns({ ...facts, signups_device: CPFS_ON_SEEN_DEVICE }, policy);
  return {
    outcome,
    reasons: reasons.map((reason) => (reason === 'signups_device' ? 'signups_device_unknown' : reason)),
  };
}

function judgeWithUnknowns(facts: Facts, policy: Policy): Judgement {
  const knownJudgement = weighFacts(facts, policy, { unknownIsWorst: false });
  if (
    knownJudgement.outcome === 'approved' &&
    weighFacts(facts, policy, { unknownIsWorst: true }).outcome !== 'approved'
  ) {
    const unknownFacts = GRADED_FACTS.filter(
      (fact) => facts[fact] === null && (policy.rules[fact] ?? policy.signals[fact]),
    );
    const decisiveFacts = unknownFacts.filter(
      (fact) =>
        weighFacts({ ...facts, [fact]: getWorstValue(fact) }, policy, { unknownIsWorst: false }).outcome !==
        'approved',
    );
    const reportedFacts = decisiveFacts.length > 0 ? decisiveFacts : unknownFacts;
    return applyStaffApproval(facts, {
      outcome: 'review',
      reasons: reportedFacts.map((fact) => `${fact}_unknown`),
    });
  }
  return applyStaffApproval(facts, knownJudgement);
}

/** An approval by a staff user overrides a review, but not a decline. */
const applyStaffApproval = (facts: Facts, judgement: Judgement): Judgement =>
  judgement.outcome === 'review' && facts.person === 'approved'
    ? { outcome: 'approved', reasons: ['approved_by_person'] }
    : judgement;

/** Judges the facts one by one. Unknown facts are ignored, or get their worst value. */
function weighFacts(
  facts: Facts,
  policy: Policy,
  { unknownIsWorst }: { unknownIsWorst: boolean },
): Judgement {
  const declineReasons: string[] = [];
  const reviewReasons: string[] = [];
  const signalFacts: string[] = [];
  let weight = 0;
  for (const fact of GRADED_FACTS) {
    const value = facts[fact] === null && unknownIsWorst ? getWorstValue(fact) : facts[fact];
    if (value === undefined || value === null) continue;
    const rule = policy.rules[fact];
    if (rule?.declined !== undefined && isReached(fact, value, rule.declined)) declineReasons.push(fact);
    else if (rule?.review !== undefined && isReached(fact, value, rule.review)) reviewReasons.push(fact);
    const signal = policy.signals[fact];
    if (signal === undefined || !isReached(fact, value, signal.at)) continue;
    weight += signal.weight;
    signalFacts.push(fact);
  }
  if (isOverMerchantCap(facts, policy)) declineReasons.push('merchant_cap');
  if (facts.person === 'declined') declineReasons.push('declined_by_person');
  const declinesBySignals = weight >= policy.decline_weight;
  if (declineReasons.length > 0 || declinesBySignals)
    return {
      outcome: 'declined',
      reasons: dedupe([...declineReasons, ...(declinesBySignals ? signalFacts : [])]),
    };
  const reviewsBySignals = weight >= policy.review_weight;
  if (reviewReasons.length > 0 || reviewsBySignals)
    return {
      outcome: 'review',
      reasons: dedupe([...reviewReasons, ...(reviewsBySignals ? signalFacts : [])]),
    };
  return { outcome: 'approved', reasons: ['within_policy'] };
}

const dedupe = (reasons: readonly string[]) => [...new Set(reasons)];

const getWorstValue = (fact: GradedFact): number =>
  FACT_DIRECTIONS[fact] === 'high' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;

const isReached = (fact: GradedFact, value: number, threshold: number): boolean =>
  FACT_DIRECTIONS[fact] === 'high' ? value >= threshold : value < threshold;

function isOverMerchantCap(facts: Facts, policy: Policy): boolean {
  const cap = policy.merchant_caps.find(({ merchant }) => merchant === facts.merchant);
  if (cap === undefined || facts.amount === undefined) return false;
  return toCents(facts.owed_at_merchant ?? 0) + toCents(facts.amount) > toCents(cap.limit);
}

/** A limit grows by at most one step within this time. */
const GROWTH_INTERVAL_DAYS = 30;

function raiseLimit(facts: Facts, policy: Policy): Decision {
  const limit = toCents(facts.limit ?? 0);
  const history = computeHistoryLimit(facts, policy);
  const unchangedDecision: Decision = { outcome: 'approved', limit, reasons: [history.reason] };
  if (facts.growth_days !== undefined && facts.growth_days < GROWTH_INTERVAL_DAYS) return unchangedDecision;
  const nextStep = policy.growth.find((step) => toCents(step.limit) > limit);
  const grownLimit = nextStep ? min(history.limit, toCents(nextStep.limit)) : history.limit;
  return { ...unchangedDecision, limit: cents(Math.max(limit, grownLimit)) };
}

function lowerToHistoryLimit(facts: Facts, policy: Policy): Decision {
  const { limit, reason } = computeHistoryLimit(facts, policy);
  return { outcome: 'approved', limit: min(toCents(facts.limit ?? 0), limit), reasons: [reason] };
}

/** Restores a limit after lateness. It never lowers the limit, so that a customer who stays late never has a higher limit than one who has paid. */
function restoreLimit(facts: Facts, policy: Policy): Decision {
  const limit = toCents(facts.limit ?? 0);
  const history = computeHistoryLimit(facts, policy);
  const restoredLimit = min(toCents(facts.limit_before_late ?? 0), history.limit);
  return { outcome: 'approved', limit: cents(Math.max(limit, restoredLimit)), reasons: [history.reason] };
}

/** Computes the limit that the payment history alone justifies, with the reason. */
export function computeHistoryLimit(facts: Facts, policy: Policy): { limit: Cents; reason: string } {
  const { paid_on_time: paidCount = 0, paid_amount: paidAmount = 0, worst_days_late } = facts;
  const step = policy.growth.findLast(
    ({ paid_on_time, paid_amount }) => paidCount >= paid_on_time && paidAmount >= paid_amount,
  );
  const fullLimit = toCents(step?.limit ?? policy.first_limit);
  // Unknown lateness counts as the worst.
  const lateStep = policy.late.findLast(({ days }) => (worst_days_late ?? Number.POSITIVE_INFINITY) >= days);
  if (lateStep === undefined) return { limit: fullLimit, reason: step ? 'paid_on_time' : 'first_limit' };
  return { limit: cents(Math.floor((fullLimit * lateStep.keep_percent) / 100)), reason: 'worst_days_late' };
}

const toCents = (reais: number): Cents => parseReais(reais)!;

export type PolicyError = { readonly pointer: string; readonly message: Bilingual };

const MUST_INCREASE: Bilingual = {
  en: 'must be more than in the step before',
  pt: 'deve ser mais que no degrau anterior',
};
const MUST_NOT_DECREASE: Bilingual = {
  en: 'must be no less than in the step before',
  pt: 'não pode ser menos que no degrau anterior',
};
const MUST_NOT_INCREASE: Bilingual = {
  en: 'must be no more than in the step before: more lateness never raises a limit',
  pt: 'não pode ser mais que no degrau anterior: mais atraso nunca aumenta o limite',
};
const REVIEW_BEFORE_DECLINE: Bilingual = {
  en: 'must require a review before it declines',
  pt: 'deve pedir a análise de uma pessoa antes de recusar',
};
const NOT_BELOW_REVIEW_WEIGHT: Bilingual = {
  en: 'must be no less than `review_weight`',
  pt: 'não pode ser menos que `review_weight`',
};
const MUST_BE_UNIQUE: Bilingual = { en: 'must not appear twice', pt: 'não pode aparecer duas vezes' };

export function findPolicyErrors(policy: Policy): PolicyError[] {
  const errors: PolicyError[] = [];
  const check = (pointer: string, isValid: boolean, message: Bilingual) => {
    if (!isValid) errors.push({ pointer, message });
  };
  const checkAmount = (pointer: string, value: number) =>
    check(pointer, parseReais(value) !== null, describeAmountError(value));
  checkAmount('/first_limit', policy.first_limit);
  policy.growth.forEach((step, i) => {
    const priorStep = policy.growth[i - 1] ?? { paid_on_time: 0, paid_amount: 0, limit: policy.first_limit };
    checkAmount(`/growth/${i}/paid_amount`, step.paid_amount);
    checkAmount(`/growth/${i}/limit`, step.limit);
    check(`/growth/${i}/paid_on_time`, step.paid_on_time > priorStep.paid_on_time, MUST_INCREASE);
    check(`/growth/${i}/paid_amount`, step.paid_amount >= priorStep.paid_amount, MUST_NOT_DECREASE);
    check(`/growth/${i}/limit`, step.limit >= priorStep.limit, MUST_NOT_DECREASE);
  });
  policy.late.forEach((step, i) => {
    const priorStep = policy.late[i - 1] ?? { days: 0, keep_percent: 100 };
    check(`/late/${i}/days`, step.days > priorStep.days, MUST_INCREASE);
    check(`/late/${i}/keep_percent`, step.keep_percent <= priorStep.keep_percent, MUST_NOT_INCREASE);
  });
  for (const [fact, { review, declined }] of Object.entries(policy.rules) as Array<[GradedFact, Rule]>) {
    if (review === undefined || declined === undefined) continue;
    const isOrdered = FACT_DIRECTIONS[fact] === 'high' ? review < declined : review > declined;
    check(`/rules/${fact}`, isOrdered, REVIEW_BEFORE_DECLINE);
  }
  check('/decline_weight', policy.decline_weight >= policy.review_weight, NOT_BELOW_REVIEW_WEIGHT);
  policy.merchant_caps.forEach(({ merchant, limit }, i) => {
    checkAmount(`/merchant_caps/${i}/limit`, limit);
    const firstIndex = policy.merchant_caps.findIndex((cap) => cap.merchant === merchant);
    check(`/merchant_caps/${i}/merchant`, firstIndex === i, MUST_BE_UNIQUE);
  });
  return errors;
}

const CAUTIOUS_RULES: Policy['rules'] = {
  age_years: { declined: 18 },
  bureau_cpf_irregular: { declined: 1 },
  bureau_score: { review: 400, declined: 250 },
  days_late: { declined: 1 },
  worst_days_late: { review: 31, declined: 91 },
  refusals_month: { review: 3, declined: 6 },
  merchant_loss_percent: { review: 8, declined: 20 },
  offers_hour: { review: 4, declined: 10 },
  signups_network_day: { review: 11 },
  young_buyers_day: { review: 6 },
};

const CAUTIOUS_SIGNALS: Policy['signals'] = {
  signups_address_day: { at: 3, weight: 60 },
  signups_network_day: { at: 20, weight: 30 },
  signups_device: { at: 2, weight: 60 },
  referral_ring: { at: 3, weight: 60 },
  former_member: { at: 1, weight: 60 },
};

export const BUILT_IN_POLICIES = ['cautious', 'open'] as const;

/**
 * Builds the policy in force until the operator sets one. `cautious` is for real money. `open` is for experiments: it grants and
 * grows limits by the same function but has no fraud signals, because in a sandbox all customers use one machine. docs/credit-decision.md
 * explains the values.
 */
export function buildPolicy(kind: (typeof BUILT_IN_POLICIES)[number], firstLimit: Cents): Policy {
  const firstLimitReais = firstLimit / 100;
  const steps = kind === 'cautious' ? CAUTIOUS_GROWTH : OPEN_GROWTH;
  return {
    first_limit: firstLimitReais,
    growth: steps.map(({ factor, ...step }) => ({
      ...step,
      limit: Math.round(firstLimit * factor) / 100,
    })),
    late: [
      { days: 4, keep_percent: 50 },
      { days: 16, keep_percent: 25 },
      { days: 31, keep_percent: 0 },
    ],
    rules: kind === 'cautious' ? CAUTIOUS_RULES : {},
    signals: kind === 'cautious' ? CAUTIOUS_SIGNALS : {},
    review_weight: 60,
    decline_weight: 100,
    merchant_caps: [],
    bureau_days: 90,
  };
}

/** `factor`: the limit of the step, as a multiple of the first limit. */
const CAUTIOUS_GROWTH = [
  { paid_on_time: 2, paid_amount: 100, factor: 4 / 3 },
  { paid_on_time: 4, paid_amount: 250, factor: 5 / 3 },
  { paid_on_time: 5, paid_amount: 400, factor: 2 },
  { paid_on_time: 8, paid_amount: 800, factor: 3 },
  { paid_on_time: 12, paid_amount: 1500, factor: 4 },
];
const OPEN_GROWTH = [
  { paid_on_time: 1, paid_amount: 50, factor: 1.5 },
  { paid_on_time: 3, paid_amount: 300, factor: 2 },
];
