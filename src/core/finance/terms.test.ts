import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePercent } from '../values/percent.ts';
import { DEFAULT_TERMS, parseTerms, toWireTerms } from './terms.ts';

const listViolations = (input: Parameters<typeof parseTerms>[0]) => {
  const parsed = parseTerms(input);
  return parsed.ok ? [] : parsed.violations.map(({ field, code, law }) => [field, code, law]);
};

test('missing terms get the defaults of the service', () => {
  const parsed = parseTerms({});
  assert.ok(parsed.ok);
  assert.deepEqual(toWireTerms(parsed.terms), {
    weekly_rate_percent: 0,
    fine_percent: 2,
    late_interest_percent: 1,
    extension_fee_percent: 5,
    extension_days: 7,
    extension_limit: 2,
    cashback_percent: 0,
  });
});

test('terms are the same after a round trip through the wire format, and are frozen', () => {
  const wire = {
    weekly_rate_percent: 1.2345,
    fine_percent: 1.99,
    late_interest_percent: 0.5,
    extension_fee_percent: 0,
    extension_days: 14,
    extension_limit: 0,
    cashback_percent: 2.5,
  };
  const parsed = parseTerms(wire);
  assert.ok(parsed.ok);
  assert.ok(Object.isFrozen(parsed.terms));
  assert.deepEqual(toWireTerms(parsed.terms), wire);
});

test('a fine over 2 % breaks CDC art. 52 §1, late interest over 1 % a month Súmula 379', () => {
  assert.deepEqual(listViolations({ fine_percent: 2.0001 }), [
    ['fine_percent', 'fine_over_legal_cap', 'CDC art. 52 §1'],
  ]);
  assert.deepEqual(listViolations({ late_interest_percent: 1.0001 }), [
    ['late_interest_percent', 'late_interest_over_legal_cap', 'STJ Súmula 379'],
  ]);
  assert.deepEqual(listViolations({ fine_percent: 2, late_interest_percent: 1 }), []);
  const parsed = parseTerms({ fine_percent: 10 });
  assert.ok(!parsed.ok);
  assert.equal(
    parsed.violations[0]?.message.en,
    'fine_percent is at most 2 % of the installment (CDC art. 52 §1)',
  );
});

test('an extension fee over 10 % and a weekly rate over the limit are refused, even if the rate is a default', () => {
  assert.deepEqual(listViolations({ extension_fee_percent: 10, weekly_rate_percent: 5 }), []);
  assert.deepEqual(listViolations({ extension_fee_percent: 10.0001 }), [
    ['extension_fee_percent', 'extension_fee_over_cap', 'CDC art. 51 IV'],
  ]);
  assert.deepEqual(listViolations({ weekly_rate_percent: 5.0001 }), [
    ['weekly_rate_percent', 'weekly_rate_over_cap', 'CDC art. 51 IV'],
  ]);
  const expensiveTerms = { ...DEFAULT_TERMS, weeklyRate: parsePercent(3)! };
  assert.ok(parseTerms({}, expensiveTerms).ok);
  const parsed = parseTerms({}, expensiveTerms, parsePercent(2.5)!);
  assert.ok(!parsed.ok);
  assert.equal(
    parsed.violations[0]?.message.en,
    'weekly_rate_percent is at most 2.5 % a week, the limit set by MAX_WEEKLY_RATE (CDC art. 51 IV)',
  );
  assert.ok(parseTerms({ weekly_rate_percent: 2.5 }, expensiveTerms, parsePercent(2.5)!).ok);
});

test('all violations are reported together', () => {
  assert.deepEqual(
    listViolations({
      weekly_rate_percent: 50.1,
      fine_percent: 3,
      late_interest_percent: -1,
      extension_fee_percent: 100.5,
      extension_days: 0,
      extension_limit: 1.5,
      cashback_percent: 0.1 + 0.2,
    }),
    [
      ['weekly_rate_percent', 'weekly_rate_over_cap', 'CDC art. 51 IV'],
      ['fine_percent', 'fine_over_legal_cap', 'CDC art. 52 §1'],
      ['late_interest_percent', 'not_a_percentage', undefined],
      ['extension_fee_percent', 'extension_fee_over_cap', 'CDC art. 51 IV'],
      ['cashback_percent', 'not_a_percentage', undefined],
      ['extension_days', 'out_of_range', undefined],
      ['extension_limit', 'not_an_integer', undefined],
    ],
  );
});

test("the merchant's cashback is used as a default", () => {
  const parsed = parseTerms({}, { ...DEFAULT_TERMS, cashback: parsePercent(3)! });
  assert.ok(parsed.ok);
  assert.equal(toWireTerms(parsed.terms).cashback_percent, 3);
});
