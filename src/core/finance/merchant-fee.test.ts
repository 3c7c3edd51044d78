import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cents } from '../values/money.ts';
import { ppm } from '../values/percent.ts';
import { computeFeeRefund, computeMerchantFee } from './merchant-fee.ts';

test('the fee is rounded down: 3 % of 33.33 is 0.99', () => {
  assert.equal(computeMerchantFee(cents(33_33), ppm(30_000)), 99);
});

test('after any returns the fee equals the fee of the remaining sale, and is zero if nothing remains', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000_000 }),
      fc.integer({ min: 0, max: 1_000_000 }).map(ppm),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 }),
      (financed, fee, shares) => {
        let remainingSale = financed;
        let remainingFee: number = computeMerchantFee(cents(financed), fee);
        for (const share of [...shares, 1]) {
          const saleAfter = remainingSale - Math.ceil(remainingSale * share);
          const feeRefund = computeFeeRefund(cents(remainingSale), cents(saleAfter), fee);
          assert.ok(feeRefund >= 0);
          remainingFee -= feeRefund;
          remainingSale = saleAfter;
          assert.equal(remainingFee, computeMerchantFee(cents(remainingSale), fee));
        }
        assert.deepEqual([remainingSale, remainingFee], [0, 0]);
      },
    ),
  );
});
