import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Cents, cents } from './money.ts';
import {
  computePercentDown,
  computePercentHalfUp,
  type Ppm,
  parsePercent,
  ppm,
  toPercent,
} from './percent.ts';

test('percentages with at most four decimals are parsed exactly, from numbers and from numeric text', () => {
  assert.equal(parsePercent(2), 20_000);
  assert.equal(parsePercent(0.29), 2_900);
  assert.equal(parsePercent(0.0001), 1);
  assert.equal(parsePercent('2.5000'), 25_000);
  for (const value of [
    0.00001,
    1e-7,
    0.1 + 0.2,
    -1,
    -0,
    Number.NaN,
    Infinity,
    1e21,
    '',
    '2.50000',
    '1e2',
    null,
    true,
  ]) {
    assert.equal(parsePercent(value), null, String(value));
  }
  assert.throws(() => ppm(1.5), RangeError);
  assert.throws(() => ppm(-1), RangeError);
});

test('every percentage survives a round trip through JSON', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), (n) => {
      assert.equal(parsePercent(JSON.parse(JSON.stringify(toPercent(ppm(n))))), n);
    }),
  );
});

test('a percentage is rounded half up for charges and down for cashback', () => {
  // 2 % of 0.25 = 0.005; 2 % of 0.24 = 0.0048; 1.5 % of 0.99 = 0.01485
  assert.equal(computePercentHalfUp(cents(25), ppm(20_000)), 1);
  assert.equal(computePercentHalfUp(cents(24), ppm(20_000)), 0);
  assert.equal(computePercentDown(cents(99), ppm(15_000)), 1);
  assert.equal(computePercentDown(cents(25), ppm(20_000)), 0);
  // 1.005 % of 100.00 = 1.005, a tie that a binary 1.005 misses
  assert.equal(computePercentHalfUp(cents(10_000), ppm(10_050)), 101);
});

test('a rate is neither an amount nor a plain number', () => {
  // @ts-expect-error a rate is not an amount in centavos
  const amount: Cents = ppm(1);
  // @ts-expect-error a plain number has not been checked
  const rate: Ppm = 1;
  assert.equal(amount, rate);
});
