import type { Bilingual } from './bilingual.ts';
import { type Cents, cents, min, parseReais } from './money.ts';

export const MOMENTS = ['signup', 'accept', 'growth', 'late', 'review'] as const;
export type Moment = (typeof MOMENTS)[number];
export const OUTCOMES = ['approved', 'review', 'declined'] as const;
export type DecisionOutcome = (typeof OUTCOMES)[number];

/**
 * Every fact that a policy may judge by, and which way it gets worse: a `high` one is bad from a threshold on, a `low` one below
 * a threshold.
 */
export const DIRECTIONS = {
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
} as const;
export type GradedFact = keyof typeof DIRECTIONS;
export const GRADED_FACTS = Object.keys(DIRECTIONS) as GradedFact[];

/**
 * What is known of a person when something is decided, without names. A graded fact is null when it was asked for and is not known,
 * and left out when it does not apply at that moment. Amounts are in reais.
 */
export type Facts = { readonly [F in GradedFact]?: number | null } & {
  readonly moment: Moment;
  /** The limit before the decision, and what of it is used. */
  readonly limit?: number;
  readonly owed?: number;
  /** Purchases paid to the end, no installment of them late, and what was paid for them. */
  readonly paid_on_time?: number;
  readonly paid_amount?: number;
  /** The purchase that is asked for, with interest. */
  readonly amount?: number;
  readonly merchant?: string;
  readonly owed_at_merchant?: number;
  /** What a person who looked at this very purchase said. */
  readonly person?: 'approved' | 'declined';
};

/** Thresholds of a fact. Of a `high` fact it is reached from the number on, of a `low` one below it. */
export type Rule = { readonly review?: number; readonly declined?: number };

/** What the operator decides by. Amounts are in reais. */
export type Policy = {
  readonly first_limit: number;
  /** What a customer has paid on time, and the limit that is offered for it. */
  readonly growth: ReadonlyArray<{ paid_on_time: number; paid_amount: number; limit: number }>;
  /** From so many days late within a year, growth comes to so much less. */
  readonly late: ReadonlyArray<{ days: number; keep_percent: number }>;
  readonly rules: { readonly [F in GradedFact]?: Rule };
  /** Signals of fraud. The weights of those that reach `at` are added up. */
  readonly signals: { readonly [F in GradedFact]?: { readonly at: number; readonly weight: number } };
  readonly review_weight: number;
  readonly decline_weight: number;
  /** The most that a customer may owe at one merchant. */
  readonly merchant_caps: ReadonlyArray<{ merchant: string; limit: number }>;
  /** For how many days what the bureau said counts. */
  readonly bureau_days: number;
};

export type Decision = {
  readonly outcome: DecisionOutcome;
  /** The customer's limit if the decision is carried out. */
  readonly limit: Cents;
  /** Stable codes. Most are names of facts. */
  readonly reasons: readonly string[];
};

/** Decides by nothing but these values: the same facts and policy always give the same answer. */
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
    case 'growth': {
      if (outcome !== 'approved') return { outcome, limit, reasons };
      const { target, reason } = growthOf(facts, policy);
      return { outcome, limit: cents(Math.max(limit, target)), reasons: [reason] };
    }
    case 'late':
      return { outcome: 'declined', limit: min(limit, toCents(facts.owed ?? 0)), reasons: ['days_late'] };
    case 'review':
      return { outcome: 'review', limit, reasons: ['asked_by_customer'] };
  }
}

type Judgement = Pick<Decision, 'outcome' | 'reasons'>;

/**
 * A fact that is not known counts for nothing, unless its worst value would have declined: then a person looks. So to hide a fact is
 * never better than to be known by a bad one.
 */
function judge(facts: Facts, policy: Policy): Judgement {
  const known = weigh(facts, policy, false);
  if (known.outcome === 'approved' && weigh(facts, policy, true).outcome === 'declined') {
    const unknown = GRADED_FACTS.filter(
      (fact) => facts[fact] === null && (policy.rules[fact] ?? policy.signals[fact]),
    );
    const alone = unknown.filter(
      (fact) => weigh({ ...facts, [fact]: worstOf(fact) }, policy, false).outcome === 'declined',
    );
    const counted = alone.length > 0 ? alone : unknown;
    return letPass(facts, { outcome: 'review', reasons: counted.map((fact) => `${fact}_unknown`) });
  }
  return letPass(facts, known);
}

/** A person's approval counts where a person was asked for, and not against what declines. */
const letPass = (facts: Facts, judged: Judgement): Judgement =>
  judged.outcome === 'review' && facts.person === 'approved'
    ? { outcome: 'approved', reasons: ['approved_by_person'] }
    : judged;

function weigh(facts: Facts, policy: Policy, unknownIsWorst: boolean): Judgement {
  const declined: string[] = [];
  const review: string[] = [];
  const signals: string[] = [];
  let weight = 0;
  for (const fact of GRADED_FACTS) {
    const value = facts[fact] === null && unknownIsWorst ? worstOf(fact) : facts[fact];
    if (value === undefined || value === null) continue;
    const rule = policy.rules[fact];
    if (rule?.declined !== undefined && isReached(fact, value, rule.declined)) declined.push(fact);
    else if (rule?.review !== undefined && isReached(fact, value, rule.review)) review.push(fact);
    const signal = policy.signals[fact];
    if (signal === undefined || !isReached(fact, value, signal.at)) continue;
    weight += signal.weight;
    signals.push(fact);
  }
  if (isOverMerchantCap(facts, policy)) declined.push('merchant_cap');
  if (facts.person === 'declined') declined.push('declined_by_person');
  const isSuspect = weight >= policy.decline_weight;
  if (declined.length > 0 || isSuspect)
    return { outcome: 'declined', reasons: unique([...declined, ...(isSuspect ? signals : [])]) };
  const isDoubtful = weight >= policy.review_weight;
  if (review.length > 0 || isDoubtful)
    return { outcome: 'review', reasons: unique([...review, ...(isDoubtful ? signals : [])]) };
  return { outcome: 'approved', reasons: ['within_policy'] };
}

const unique = (reasons: readonly string[]) => [...new Set(reasons)];

const worstOf = (fact: GradedFact): number =>
  DIRECTIONS[fact] === 'high' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;

const isReached = (fact: GradedFact, value: number, threshold: number): boolean =>
  DIRECTIONS[fact] === 'high' ? value >= threshold : value < threshold;

function isOverMerchantCap(facts: Facts, policy: Policy): boolean {
  const cap = policy.merchant_caps.find(({ merchant }) => merchant === facts.merchant);
  if (cap === undefined || facts.amount === undefined) return false;
  return toCents(facts.owed_at_merchant ?? 0) + toCents(facts.amount) > toCents(cap.limit);
}

function growthOf(facts: Facts, policy: Policy): { target: Cents; reason: string } {
  const { paid_on_time: paid = 0, paid_amount: amount = 0, worst_days_late } = facts;
  const step = policy.growth.findLast((one) => paid >= one.paid_on_time && amount >= one.paid_amount);
  const full = toCents(step?.limit ?? policy.first_limit);
  const late = policy.late.findLast(({ days }) => (worst_days_late ?? Number.POSITIVE_INFINITY) >= days);
  if (late === undefined) return { target: full, reason: 'paid_on_time' };
  return { target: cents(Math.floor((full * late.keep_percent) / 100)), reason: 'worst_days_late' };
}

const toCents = (reais: number): Cents => parseReais(reais)!;

export type PolicyFault = { readonly pointer: string; readonly message: Bilingual };

const AMOUNT: Bilingual = {
  en: 'must be an amount in reais with at most two decimals',
  pt: 'deve ser um valor em reais com no máximo duas casas decimais',
};
const MORE: Bilingual = {
  en: 'must be more than in the step before',
  pt: 'deve ser mais que no degrau anterior',
};
const NO_LESS: Bilingual = {
  en: 'must be no less than in the step before',
  pt: 'não pode ser menos que no degrau anterior',
};
const NO_MORE: Bilingual = {
  en: 'must be no more than in the step before: more lateness never raises a limit',
  pt: 'não pode ser mais que no degrau anterior: mais atraso nunca aumenta o limite',
};
const PERSON_FIRST: Bilingual = {
  en: 'must ask for a person before it declines',
  pt: 'deve pedir a análise de uma pessoa antes de recusar',
};
const NO_LESS_WEIGHT: Bilingual = {
  en: 'must be no less than `review_weight`',
  pt: 'não pode ser menos que `review_weight`',
};
const ONCE: Bilingual = { en: 'must not come twice', pt: 'não pode aparecer duas vezes' };

/** What is wrong with a policy of the right shape: all of it at once. */
export function policyFaults(policy: Policy): PolicyFault[] {
  const faults: PolicyFault[] = [];
  const check = (pointer: string, isRight: boolean, message: Bilingual) => {
    if (!isRight) faults.push({ pointer, message });
  };
  const money = (pointer: string, value: number) => check(pointer, parseReais(value) !== null, AMOUNT);
  money('/first_limit', policy.first_limit);
  policy.growth.forEach((step, i) => {
    const before = policy.growth[i - 1] ?? { paid_on_time: 0, paid_amount: 0, limit: policy.first_limit };
    money(`/growth/${i}/paid_amount`, step.paid_amount);
    money(`/growth/${i}/limit`, step.limit);
    check(`/growth/${i}/paid_on_time`, step.paid_on_time > before.paid_on_time, MORE);
    check(`/growth/${i}/paid_amount`, step.paid_amount >= before.paid_amount, NO_LESS);
    check(`/growth/${i}/limit`, step.limit >= before.limit, NO_LESS);
  });
  policy.late.forEach((step, i) => {
    const before = policy.late[i - 1] ?? { days: 0, keep_percent: 100 };
    check(`/late/${i}/days`, step.days > before.days, MORE);
    check(`/late/${i}/keep_percent`, step.keep_percent <= before.keep_percent, NO_MORE);
  });
  for (const [fact, { review, declined }] of Object.entries(policy.rules) as Array<[GradedFact, Rule]>) {
    if (review === undefined || declined === undefined) continue;
    const isOrdered = DIRECTIONS[fact] === 'high' ? review < declined : review > declined;
    check(`/rules/${fact}`, isOrdered, PERSON_FIRST);
  }
  check('/decline_weight', policy.decline_weight >= policy.review_weight, NO_LESS_WEIGHT);
  policy.merchant_caps.forEach(({ merchant, limit }, i) => {
    money(`/merchant_caps/${i}/limit`, limit);
    const first = policy.merchant_caps.findIndex((cap) => cap.merchant === merchant);
    check(`/merchant_caps/${i}/merchant`, first === i, ONCE);
  });
  return faults;
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
 * The policy in force until the operator sets one. `cautious` is for real money. `open` is for trying things out: it grants and grows
 * limits by the same function, and suspects nobody, since everybody in a sandbox comes from one machine. docs/credit-decision.md
 * gives the reasons.
 */
export function builtInPolicy(kind: (typeof BUILT_IN_POLICIES)[number], firstLimit: Cents): Policy {
  const first = firstLimit / 100;
  const steps = kind === 'cautious' ? CAUTIOUS_GROWTH : OPEN_GROWTH;
  return {
    first_limit: first,
    growth: steps.map(({ times, ...step }) => ({
      ...step,
      limit: Math.round(firstLimit * times) / 100,
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

/** Limits as multiples of the first. */
const CAUTIOUS_GROWTH = [
  { paid_on_time: 2, paid_amount: 100, times: 4 / 3 },
  { paid_on_time: 4, paid_amount: 250, times: 5 / 3 },
  { paid_on_time: 5, paid_amount: 400, times: 2 },
  { paid_on_time: 8, paid_amount: 800, times: 3 },
  { paid_on_time: 12, paid_amount: 1500, times: 4 },
];
const OPEN_GROWTH = [
  { paid_on_time: 1, paid_amount: 50, times: 1.5 },
  { paid_on_time: 3, paid_amount: 300, times: 2 },
];
