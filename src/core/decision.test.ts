import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  builtInPolicy,
  DIRECTIONS,
  decide,
  type Facts,
  GRADED_FACTS,
  type GradedFact,
  MOMENTS,
  type Policy,
  policyFaults,
} from './decision.ts';
import { cents } from './money.ts';

const cautious = builtInPolicy('cautious', cents(15_000));
const small = fc.integer({ min: 0, max: 40 });
const reais = fc.integer({ min: 0, max: 100_000 }).map((n) => n / 100);

const graded = Object.fromEntries(
  GRADED_FACTS.map((fact) => [fact, fc.option(small, { nil: null })]),
) as Record<GradedFact, fc.Arbitrary<number | null>>;

const factsOf = fc.record(
  {
    ...graded,
    moment: fc.constantFrom(...MOMENTS),
    limit: reais,
    owed: reais,
    paid_on_time: small,
    paid_amount: reais,
    amount: reais,
    merchant: fc.constantFrom('otica-lume', 'padaria'),
    owed_at_merchant: reais,
  },
  { requiredKeys: ['moment', 'limit', 'owed'] },
) as fc.Arbitrary<Facts>;

const thresholds = (fact: GradedFact) =>
  fc
    .tuple(small, fc.integer({ min: 1, max: 20 }), fc.constantFrom('both', 'review', 'declined'))
    .map(([from, more, kind]) => {
      const [review, declined] = DIRECTIONS[fact] === 'high' ? [from, from + more] : [from + more, from];
      return { ...(kind !== 'declined' && { review }), ...(kind !== 'review' && { declined }) };
    });

/** Any policy without a fault. */
const policyOf: fc.Arbitrary<Policy> = fc.record({
  first_limit: reais.map((n) => n / 10).map((n) => Math.floor(n * 100) / 100),
  growth: fc.constantFrom(
    [],
    [{ paid_on_time: 2, paid_amount: 10, limit: 2_000 }],
    cautious.growth.map((s) => ({ ...s, limit: s.limit + 1_000 })),
  ),
  late: fc.constantFrom([], cautious.late, [{ days: 1, keep_percent: 0 }]),
  rules: fc.record(Object.fromEntries(GRADED_FACTS.map((f) => [f, thresholds(f)])), { requiredKeys: [] }),
  signals: fc.record(
    Object.fromEntries(
      GRADED_FACTS.map((f) => [f, fc.record({ at: small, weight: fc.integer({ min: 1, max: 100 }) })]),
    ),
    { requiredKeys: [] },
  ),
  review_weight: fc.constantFrom(30, 60),
  decline_weight: fc.constantFrom(60, 100),
  merchant_caps: fc.constantFrom([], [{ merchant: 'otica-lume', limit: 300 }]),
  bureau_days: fc.constant(90),
});

test('the policies that are built in have no fault', () => {
  for (const first of [15_000, 50_000, 8_050, 0])
    for (const kind of ['cautious', 'open'] as const)
      assert.deepEqual(policyFaults(builtInPolicy(kind, cents(first))), []);
});

test('the same facts and policy always give the same answer, whatever the order of the fields', () => {
  fc.assert(
    fc.property(factsOf, policyOf, (facts, policy) => {
      assert.deepEqual(policyFaults(policy), []);
      const shuffled = Object.fromEntries(Object.entries(facts).toReversed()) as Facts;
      assert.deepEqual(decide(shuffled, structuredClone(policy)), decide(facts, policy));
    }),
    { numRuns: 200 },
  );
});

test('more lateness never raises a limit', () => {
  fc.assert(
    fc.property(factsOf, policyOf, small, small, (facts, policy, days, more) => {
      for (const fact of ['days_late', 'worst_days_late'] as const) {
        const less = decide({ ...facts, [fact]: days }, policy);
        const worse = decide({ ...facts, [fact]: days + more }, policy);
        assert.ok(worse.limit <= less.limit, `${worse.limit} > ${less.limit}`);
      }
    }),
    { numRuns: 400 },
  );
});

test('an unknown fact never approves what a bad one declines', () => {
  const anyFact = fc.constantFrom(...GRADED_FACTS);
  fc.assert(
    fc.property(factsOf, policyOf, anyFact, small, (facts, policy, fact, value) => {
      if (facts.moment === 'late' || facts.moment === 'review') return;
      const known = decide({ ...facts, [fact]: value }, policy);
      const hidden = decide({ ...facts, [fact]: null }, policy);
      if (known.outcome === 'declined') assert.notEqual(hidden.outcome, 'approved');
    }),
    { numRuns: 600 },
  );
});

test('every answer gives a reason', () => {
  fc.assert(
    fc.property(factsOf, policyOf, (facts, policy) => {
      assert.ok(decide(facts, policy).reasons.length > 0);
    }),
    { numRuns: 200 },
  );
});

test('a person’s approval lets pass what asked for a person, and nothing that is declined', () => {
  const review: Facts = { moment: 'accept', limit: 150, owed: 0, offers_hour: 5 };
  assert.deepEqual(decide(review, cautious), { outcome: 'review', limit: 15_000, reasons: ['offers_hour'] });
  const approved = decide({ ...review, person: 'approved' }, cautious);
  assert.deepEqual(approved.reasons, ['approved_by_person']);
  assert.equal(decide({ ...review, person: 'approved', days_late: 2 }, cautious).outcome, 'declined');
});

test('ten weeks on time double the first limit; what was late takes half of the growth, then all', () => {
  const paid = (paid_on_time: number, worst_days_late = 0) =>
    decide(
      { moment: 'growth', limit: 0, owed: 0, paid_on_time, paid_amount: paid_on_time * 100, worst_days_late },
      cautious,
    ).limit;
  assert.deepEqual(
    [0, 2, 4, 5].map((n) => paid(n)),
    [15_000, 20_000, 25_000, 30_000],
  );
  assert.deepEqual(
    [3, 4, 16].map((days) => paid(5, days)),
    [30_000, 15_000, 7_500],
  );
});

test('late, a limit falls to what is used; one that is below that already stays', () => {
  assert.equal(decide({ moment: 'late', limit: 300, owed: 120.5 }, cautious).limit, 12_050);
  assert.equal(decide({ moment: 'late', limit: 100, owed: 120.5 }, cautious).limit, 10_000);
});

test('a merchant’s own cap declines what goes beyond it, counted with what is owed there', () => {
  const policy = { ...cautious, merchant_caps: [{ merchant: 'padaria', limit: 100 }] };
  const at = (owed_at_merchant: number, merchant = 'padaria') =>
    decide({ moment: 'accept', limit: 500, owed: 0, amount: 60, merchant, owed_at_merchant }, policy);
  assert.equal(at(40).outcome, 'approved');
  assert.deepEqual(at(40.01).reasons, ['merchant_cap']);
  assert.equal(at(90, 'otica-lume').outcome, 'approved');
});

test('all faults of a policy are told at once', () => {
  const wrong: Policy = {
    ...cautious,
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
    policyFaults(wrong).map(({ pointer }) => pointer),
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
