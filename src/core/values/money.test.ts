import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  cents,
  MAX_CENTS,
  min,
  parseReais,
  parseReaisInput,
  parseReaisText,
  scaleHalfUp,
  split,
  sum,
  toReais,
  toReaisText,
} from './money.ts';

const anyCents = fc.integer({ min: -MAX_CENTS, max: MAX_CENTS }).map(cents);

test('reais with at most two decimals are parsed exactly', () => {
  for (const [reais, expected] of [
    [0, 0],
    [10, 1000],
    [10.1, 1010],
    [10.01, 1001],
    [0.29, 29], // 0.29 * 100 is 28.999999999999996
    [1.15, 115],
    [-3.5, -350],
    [9_999_999_999_999.99, 999_999_999_999_999],
  ] as const) {
    assert.equal(parseReais(reais), expected);
  }
});

test('invalid amounts in reais are rejected', () => {
  for (const value of [
    10.005,
    0.1 + 0.2 + 1e-7,
    59.7 - 1e-7,
    1e21,
    1e-7,
    1e14,
    Number.NaN,
    Infinity,
    -Infinity,
    -0,
    '10',
    null,
    undefined,
    10n,
    {},
  ]) {
    assert.equal(parseReais(value), null, String(value));
  }
});

test('every amount survives a round trip through JSON, with at most two decimals', () => {
  fc.assert(
    fc.property(anyCents, (amount) => {
      const json = JSON.stringify(toReais(amount));
      assert.match(json, /^-?\d+(\.\d{1,2})?$/);
      assert.equal(parseReais(JSON.parse(json)), amount);
    }),
  );
});

test('the Central Bank form has two decimals and no sign', () => {
  assert.equal(toReaisText(cents(1)), '0.01');
  assert.equal(toReaisText(cents(4990)), '49.90');
  assert.equal(toReaisText(cents(10_000)), '100.00');
  assert.throws(() => toReaisText(cents(-1)), RangeError);
  assert.equal(parseReaisText('49.90'), 4990);
  for (const text of ['49.9', '49', '-1.00', '1,00', ' 1.00', '12345678901.00', ''])
    assert.equal(parseReaisText(text), null);
});

test('a number that is not an amount in centavos is a bug', () => {
  for (const n of [0.5, Number.NaN, MAX_CENTS + 1, 2 ** 53]) assert.throws(() => cents(n), RangeError);
  assert.ok(Object.is(cents(-0), 0));
});

test('the parts of a split differ by at most one centavo, and the larger parts come first', () => {
  assert.deepEqual(split(cents(10_000), 3), [3334, 3333, 3333]);
  assert.deepEqual(split(cents(5), 3), [2, 2, 1]);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: MAX_CENTS }), fc.integer({ min: 1, max: 52 }), (total, parts) => {
      const amounts = split(cents(total), parts);
      assert.equal(amounts.length, parts);
      assert.equal(sum(amounts), total);
      assert.ok(amounts[0]! - amounts.at(-1)! <= 1);
      assert.ok(amounts.every((amount, i) => i === 0 || amounts[i - 1]! >= amount));
    }),
  );
  assert.throws(() => split(cents(1), 0), RangeError);
  assert.throws(() => split(cents(-1), 2), RangeError);
});

test('scaling is exact where doubles are not', () => {
  // 999999999999999 × 7 / 10 = 699999999999999.3
  assert.equal(scaleHalfUp(cents(999_999_999_999_999), 7n, 10n), 699_999_999_999_999);
  assert.equal(scaleHalfUp(cents(1), 1n, 2n), 1);
  assert.equal(min(cents(2), cents(1)), 1);
});

test('amounts are parsed as people write them; ambiguous ones are rejected', () => {
  for (const text of [
    '1500',
    '1500,00',
    '1500.00',
    '1.500,00',
    'R$ 1.500,00',
    'R$1500',
    ' r$ 1500,0 ',
    'R$\u00a01.500,00',
  ])
    assert.equal(parseReaisInput(text), 150_000, text);
  assert.equal(parseReaisInput('-5,01'), -501);
  assert.equal(parseReaisInput('-R$ 5,01'), -501);
  assert.equal(parseReaisInput('1.234.567,8'), 123_456_780);
  assert.equal(parseReaisInput('0'), 0);
  const ambiguousTexts = [
    '1.500',
    '1,500',
    '1,500.00',
    '1.50,00',
    '15.00,00',
    '1.500.00',
    '5,001',
    '1e3',
    '',
    '-',
    'R$',
    'NaN',
  ];
  for (const text of [...ambiguousTexts, '5 reais', '--5', '+5', '1 500,00', '99999999999999,99'])
    assert.equal(parseReaisInput(text), null, text);
});
