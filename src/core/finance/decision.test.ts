import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cents } from '../values/money.ts';
import {
  buildPolicy,
  computeHistoryLimit,
  decide,
  FACT_DIRECTIONS,
  type Facts,
  findPolicyErrors,
  GRADED_FACTS,
  type GradedFact,
  MOMENTS,
  type Policy,
} from './decision.ts';

/** The first limit is R$ 150.00. */
const CAUTIOUS_POLICY = buildPolicy('cautious', cents(15_000));
const anyCount = fc.integer({ min: 0, max: 40 });
const anyReais = fc.integer({ min: 0, max: 100_000 }).map((n) => n / 100);

const anyGradedFacts = Object.fromEntries(
  GRADED_FACTS.map((fact) => [fact, fc.option(anyCount, { nil: null })]),
) as Record<GradedFact, fc.Arbitrary<number | null>>;

const anyFacts = fc.record(
  {
    ...anyGradedFacts,
    moment: fc.constantFrom(...MOMENTS),
    limit: anyReais,
    owed: anyReais,
    paid_on_time: anyCount,
    paid_amount: anyReais,
    amount: anyReais,
    limit_before_late: anyReais,
    growth_days: anyCount,
    cause: fc.constant('reversal' as const),
    merchant: fc.constantFrom('otica-lume', 'padaria'),
    owed_at_merchant: anyReais,
  },
  { requiredKeys: ['moment', 'limit', 'owed'] },
) as fc.Arbitrary<Facts>;

const anyThresholds = (fact: GradedFact) =>
  fc
    .tuple(anyCount, fc.integer({ min: 1, max: 20 }), fc.constantFrom('both', 'review', 'declined'))
    .map(([lower, difference, presentThresholds]) => {
      const higher = lower + difference;
      const [review, declined] = FACT_DIRECTIONS[fact] === 'high' ? [lower, higher] : [higher, lower];
      return {
        ...(presentThresholds !== 'declined' && { review }),
        ...(presentThresholds !== 'review' && { declined }),
      };
    });

/** Any valid policy. */
const anyPolicy: fc.Arbitrary<Policy> = fc.record({
  // At most R$ 100.00, so that every step of `growth` is higher.
  first_limit: anyReais.map((reais) => Math.floor(reais * 10) / 100),
  growth: fc.constantFrom(
    [],
    [{ paid_on_time: 2, paid_amount: 10, limit: 2_000 }],
    CAUTIOUS_POLICY.growth.map((step) => ({ ...step, limit: step.limit + 1_000 })),
  ),
  late: fc.constantFrom([], CAUTIOUS_POLICY.late, [{ days: 1, keep_percent: 0 }]),
  rules: fc.record(Object.fromEntries(GRADED_FACTS.map((fact) => [fact, anyThresholds(fact)])), {
    requiredKeys: [],
  }),
  signals: fc.record(
    Object.fromEntries(
      GRADED_FACTS.map((fact) => [
        fact,
        fc.record({ at: anyCount, weight: fc.integer({ min: 1, max: 100 }) }),
      ]),
    ),
    { requiredKeys: [] },
  ),
  review_weight: fc.constantFrom(30, 60),
  decline_weight: fc.constantFrom(60, 100),
  merchant_caps: fc.constantFrom([], [{ merchant: 'otica-lume', limit: 300 }]),
  bureau_days: fc.constant(90),
});

test('the built-in policies are valid', () => {
  for (const firstLimit of [15_000, 50_000, 8_050, 0])
    for (const kind of ['cautious', 'open'] as const)
      assert.deepEqual(findPolicyErrors(buildPolicy(kind, cents(firstLimit))), []);
});

test('the same facts and policy always give the same decision, whatever the order of the fields', () => {
  fc.assert(
    fc.property(anyFacts, anyPolicy, (facts, policy) => {
      assert.deepEqual(findPolicyErrors(policy), []);
      const shuffled = Object.fromEntries(Object.entries(facts).toReversed()) as Facts;
      assert.deepEqual(decide(shuffled, structuredClone(policy)), decide(facts, policy));
    }),
    { numRuns: 200 },
  );
});

test('more lateness never raises a limit', () => {
  fc.assert(
    fc.property(anyFacts, anyPolicy, anyCount, anyCount, (facts, policy, days, moreDays) => {
      for (const fact of ['days_late', 'worst_days_late'] as const) {
        const baseDecision = decide({ ...facts, [fact]: days }, policy);
        const lateDecision = decide({ ...facts, [fact]: days + moreDays }, policy);
        assert.ok(lateDecision.limit <= baseDecision.limit, `${lateDecision.limit} > ${baseDecision.limit}`);
      }
    }),
    { numRuns: 400 },
  );
});

test('an unknown fact never approves what a bad value would not approve', () => {
  const anyFact = fc.constantFrom(...GRADED_FACTS);
  fc.assert(
    fc.property(anyFacts, anyPolicy, anyFact, anyCount, (facts, policy, fact, value) => {
      if (facts.moment === 'late' || facts.moment === 'review') return;
      const knownDecision = decide({ ...facts, [fact]: value }, policy);
      const hiddenDecision = decide({ ...facts, [fact]: null }, policy);
      if (knownDecision.outcome !== 'approved') assert.notEqual(hiddenDecision.outcome, 'approved');
    }),
    { numRuns: 600 },
  );
});

test('hiding the device is never better than a device that was seen before', () => {
  const severity = { approved: 0, review: 1, declined: 2 };
  fc.assert(
    fc.property(anyFacts, anyPolicy, (facts, policy) => {
      const hiddenOutcome = decide({ ...facts, signups_device: null }, policy).outcome;
      const seenOutcome = decide({ ...facts, signups_device: 2 }, policy).outcome;
      assert.ok(severity[hiddenOutcome] >= severity[seenOutcome]);
    }),
    { numRuns: 200 },
  );
  const signUpFacts: Facts = { moment: 'signup', age_years: 30, signups_device: null };
  assert.deepEqual(decide(signUpFacts, CAUTIOUS_POLICY).reasons, ['signups_device_unknown']);
  assert.equal(decide({ ...signUpFacts, signups_address_day: 3 }, CAUTIOUS_POLICY).outcome, 'declined');
});

test('every decision has a reason', () => {
  fc.assert(
    fc.property(anyFacts, anyPolicy, (facts, policy) => {
      assert.ok(decide(facts, policy).reasons.length > 0);
    }),
    { numRuns: 200 },
  );
});

test('an approval by a person overrides a review, but not a decline', () => {
  const reviewFacts: Facts = { moment: 'accept', limit: 150, owed: 0, offers_hour: 5 };
  assert.deepEqual(decide(reviewFacts, CAUTIOUS_POLICY), {
    outcome: 'review',
    limit: 15_000,
    reasons: ['offers_hour'],
  });
  const approvedDecision = decide({ ...reviewFacts, person: 'approved' }, CAUTIOUS_POLICY);
  assert.deepEqual(approvedDecision.reasons, ['approved_by_person']);
  assert.equal(
    decide({ ...reviewFacts, person: 'approved', days_late: 2 }, CAUTIOUS_POLICY).outcome,
    'declined',
  );
});

test('five purchases on time double the first limit; lateness of 4 days halves that limit, of 16 days leaves a quarter', () => {
  const computeLimit = (paid_on_time: number, worst_days_late = 0) =>
    computeHistoryLimit(
      { moment: 'growth', paid_on_time, paid_amount: paid_on_time * 100, worst_days_late },
      CAUTIOUS_POLICY,
    ).limit;
  assert.deepEqual(
    [0, 2, 4, 5].map((n) => computeLimit(n)),
    [15_000, 20_000, 25_000, 30_000],
  );
  assert.deepEqual(
    [3, 4, 16].map((days) => computeLimit(5, days)),
    [30_000, 15_000, 7_500],
  );
});

test('a limit grows by at most one step in 30 days, and never falls by growth', () => {
  const history = { paid_on_time: 12, paid_amount: 2_000, worst_days_late: 0 };
  const computeGrownLimit = (limit: number, overrides: Partial<Facts> = {}) =>
    decide({ moment: 'growth', limit, owed: 0, ...history, ...overrides }, CAUTIOUS_POLICY).limit;
  assert.equal(computeGrownLimit(150), 20_000);
  assert.deepEqual(
    [29, 30].map((growth_days) => computeGrownLimit(200, { growth_days })),
    [20_000, 25_000],
  );
  assert.equal(computeGrownLimit(600), 60_000);
  assert.equal(computeGrownLimit(700), 70_000);
});

test('a return or a chargeback lowers a limit to what the payment history still justifies', () => {
  const decideAfterReversal = (limit: number, paid_on_time: number) =>
    decide(
      { moment: 'growth', cause: 'reversal', limit, paid_on_time, paid_amount: 1_000, worst_days_late: 0 },
      CAUTIOUS_POLICY,
    );
  assert.deepEqual(decideAfterReversal(300, 2), {
    outcome: 'approved',
    limit: 20_000,
    reasons: ['paid_on_time'],
  });
  assert.deepEqual(decideAfterReversal(300, 0), {
    outcome: 'approved',
    limit: 15_000,
    reasons: ['first_limit'],
  });
  assert.equal(decideAfterReversal(100, 5).limit, 10_000);
});

test('when nothing is late any more, a limit is restored to what the payment history justifies, at most to its previous amount', () => {
  const decideAfterLateness = (limit_before_late: number, worst_days_late: number) =>
    decide(
      {
        moment: 'late',
        limit: 90,
        limit_before_late,
        days_late: 0,
        paid_on_time: 5,
        paid_amount: 500,
        worst_days_late,
      },
      CAUTIOUS_POLICY,
    );
  assert.deepEqual(decideAfterLateness(300, 3), {
    outcome: 'approved',
    limit: 30_000,
    reasons: ['paid_on_time'],
  });
  assert.deepEqual(decideAfterLateness(300, 4), {
    outcome: 'approved',
    limit: 15_000,
    reasons: ['worst_days_late'],
  });
  assert.equal(decideAfterLateness(200, 0).limit, 20_000);
  assert.equal(decideAfterLateness(300, 31).limit, 9_000);
});

test('lateness reduces a limit to the used amount; a lower limit stays', () => {
  assert.equal(decide({ moment: 'late', limit: 300, owed: 120.5 }, CAUTIOUS_POLICY).limit, 12_050);
  assert.equal(decide({ moment: 'late', limit: 100, owed: 120.5 }, CAUTIOUS_POLICY).limit, 10_000);
});

test('a merchant cap declines a purchase that exceeds it together with the amount owed there', () => {
  const policy = { ...CAUTIOUS_POLICY, merchant_caps: [{ merchant: 'padaria', limit: 100 }] };
  const decideAccept = (owed_at_merchant: number, merchant = 'padaria') =>
    decide({ moment: 'accept', limit: 500, owed: 0, amount: 60, merchant, owed_at_merchant }, policy);
  assert.equal(decideAccept(40).outcome, 'approved');
  assert.deepEqual(decideAccept(40.01).reasons, ['merchant_cap']);
  assert.equal(decideAccept(90, 'otica-lume').outcome, 'approved');
});

test('all errors of a policy are reported together', () => {
  const wrongPolicy: Policy = {
    ...CAUTIOUS_POLICY,
    first_limit: 150.005,
    growth: [{ paid_on_time: 2, paid_amount: 100, limit: 100 }],
    late: [
      { days: 4, keep_percent: 50 },
      { days: 4, keep_percent: 60 },
    ],
    rules: { age_years: { review: 18, declined: 21 } },
    review_weight: 100,
    decline_weight: 60,
    merchant_caps: [
      { merchant: 'padaria', limit: 1 },
      { merchant: 'padaria', limit: 2 },
    ],
  };
  assert.deepEqual(
    findPolicyErrors(wrongPolicy).map(({ pointer }) => pointer),
    [
      '/first_limit',
      '/growth/0/limit',
      '/late/1/days',
      '/late/1/keep_percent',
      '/rules/age_years',
      '/decline_weight',
      '/merchant_caps/1/merchant',
    ],
  );
});
