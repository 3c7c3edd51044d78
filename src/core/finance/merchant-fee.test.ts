import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cents } from '../values/money.ts';
import { ppm } from '../values/percent.ts';
import { computeFeeRefund, computeMerchantFee } from './merchant-fee.ts';

test('the fee is rounded down: 3 % of 33.33 is 0.99', () => {
  assert.equal(computeMerchantFee(cents(33_33), ppm(30_000)), 99);
});

test('after any returns the fee is that of the remaining sale, and zero if nothing is left', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000_000 }),
      fc.integer({ min: 0, max: 1_000_000 }).map(ppm),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 }),
      (financed, fee, shares) => {
        let left = financed;
        let kept: number = computeMerchantFee(cents(financed), fee);
        for (const share of [...shares, 1]) {
          const after = left - Math.ceil(left * share);
          const back = computeFeeRefund(cents(left), cents(after), fee);
          assert.ok(back >= 0);
          kept -= back;
          left = after;
          assert.equal(kept, computeMerchantFee(cents(left), fee));
        }
        assert.deepEqual([left, kept], [0, 0]);
      },
    ),
  );
});
