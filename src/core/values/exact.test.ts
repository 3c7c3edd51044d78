import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { divHalfUp, floorDiv, integerRoot, powerHalfUp } from './exact.ts';

test('a tie is rounded up', () => {
  assert.equal(divHalfUp(5n, 2n), 3n);
  assert.equal(divHalfUp(-5n, 2n), -2n);
  assert.equal(divHalfUp(7n, 3n), 2n);
  assert.equal(divHalfUp(-7n, 3n), -2n);
});

test('the rounded quotient is within half a unit', () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.bigInt({ min: 1n, max: 10n ** 30n }), (n, d) => {
      const doubledError = 2n * (divHalfUp(n, d) * d - n);
      assert.ok(-d < doubledError && doubledError <= d);
    }),
  );
});

test('the floored quotient is the largest integer that does not exceed the quotient', () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.bigInt({ min: 1n, max: 10n ** 30n }), (n, d) => {
      assert.ok(floorDiv(n, d) * d <= n && n < (floorDiv(n, d) + 1n) * d);
    }),
  );
});

test('the integer root is the largest integer whose power does not exceed the number', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 300n }), fc.bigInt({ min: 1n, max: 90n }), (n, k) => {
      const root = integerRoot(n, k);
      assert.ok(root ** k <= n && n < (root + 1n) ** k);
    }),
  );
  assert.throws(() => integerRoot(-1n, 2n), RangeError);
});

test('a rounded power agrees with its defining inequality, ties included', () => {
  assert.equal(powerHalfUp(1000n, 2n, 1n, 1, 2), 1414n); // 1000 × √2 = 1414.21…
  assert.equal(powerHalfUp(1n, 9n, 4n, 1, 2), 2n); // √(9 / 4) = 1.5, a tie
  const anyWholeNumber = fc.bigInt({ min: 1n, max: 2_000_000n });
  fc.assert(
    fc.property(
      anyWholeNumber,
      anyWholeNumber,
      anyWholeNumber,
      fc.nat(60),
      fc.integer({ min: 1, max: 12 }),
      (base, num, den, x, y) => {
        // V = base × (num / den)^(x / y) is rounded to r if 2r − 1 ≤ 2V < 2r + 1. Both sides to the power y, times den^x, are integers.
        const rounded = powerHalfUp(base, num, den, x, y);
        const [power, root] = [BigInt(x), BigInt(y)];
        const scale = (bound: bigint) => bound ** root * den ** power;
        const scaledDouble = (2n * base) ** root * num ** power;
        assert.ok(rounded === 0n || scale(2n * rounded - 1n) <= scaledDouble);
        assert.ok(scaledDouble < scale(2n * rounded + 1n));
      },
    ),
  );
});
