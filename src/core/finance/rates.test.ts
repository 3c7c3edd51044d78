import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cents } from '../values/money.ts';
import { ppm } from '../values/percent.ts';
import { compoundExactly, futureValue, presentValue, TO_FUTURE, TO_PRESENT } from './rates.ts';

test('present values worked out by hand', () => {
  const hundred = cents(10_000);
  assert.equal(presentValue(hundred, ppm(20_000), 0), 10_000);
  assert.equal(presentValue(hundred, ppm(20_000), -3), 10_000);
  assert.equal(presentValue(hundred, ppm(0), 30), 10_000);
  assert.equal(presentValue(hundred, ppm(20_000), 7), 9804); // 100 / 1.02 = 98.0392
  assert.equal(presentValue(hundred, ppm(20_000), 14), 9612); // 100 / 1.0404 = 96.1169
  assert.equal(presentValue(hundred, ppm(20_000), 3), 9915); // 1.02^(3/7) = e^0.00848684 = 1.00852296 → 99.1549
  assert.equal(presentValue(hundred, ppm(20_000), 1), 9972); // 1.02^(1/7) = e^0.00282895 = 1.00283295 → 99.7175
  assert.equal(presentValue(cents(16), ppm(280_000), 7), 13); // 16 / 1.28 = 12.5, a tie
});

test('future values worked out by hand', () => {
  assert.equal(futureValue(cents(5_000), ppm(20_000), 7), 5100);
  assert.equal(futureValue(cents(5_000), ppm(20_000), 3), 5043); // 1.02^(3/7) = 1.00852296 → 50.4261
  assert.equal(futureValue(cents(5_000), ppm(20_000), 0), 5000);
  assert.equal(futureValue(cents(5_000), ppm(0), 30), 5000);
  assert.equal(futureValue(cents(50), ppm(10_000), 7), 51); // 50.5, a tie
});

test('a present value decreases with days and rate, and never exceeds the amount', () => {
  const amount = fc.integer({ min: 0, max: 100_000_000 }).map(cents);
  const rate = fc.integer({ min: 0, max: 500_000 });
  fc.assert(
    fc.property(amount, rate, rate, fc.nat(400), fc.nat(400), (due, weeklyRate, increase, days, moreDays) => {
      const value = presentValue(due, ppm(weeklyRate), days);
      assert.ok(value >= 0 && value <= due);
      assert.ok(presentValue(due, ppm(weeklyRate), days + moreDays) <= value);
      assert.ok(presentValue(due, ppm(weeklyRate + increase), days) <= value);
    }),
  );
});

test('present and future values are rounded exactly, even near ties', () => {
  const amount = fc
    .oneof(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 0, max: 100_000_000_000 }))
    .map(cents);
  // 28 % and 60 % a week have finite quotients (25/32, 5/8) and so real ties.
  const rate = fc.oneof(fc.constantFrom(280_000, 600_000), fc.integer({ min: 1, max: 500_000 })).map(ppm);
  fc.assert(
    fc.property(
      amount,
      rate,
      fc.oneof(fc.constantFrom(7, 14, 21), fc.integer({ min: 1, max: 400 })),
      (due, weeklyRate, days) => {
        assert.equal(presentValue(due, weeklyRate, days), compoundExactly(due, weeklyRate, days, TO_PRESENT));
        // A longer term may exceed the maximum amount.
        if (days <= 60)
          assert.equal(futureValue(due, weeklyRate, days), compoundExactly(due, weeklyRate, days, TO_FUTURE));
      },
    ),
    { numRuns: 1000 },
  );
});
