import { type Cents, cents } from '../values/money.ts';
import { computePercentDown, type Ppm } from '../values/percent.ts';

/** Computes the operator's fee on a sale, rounded down in the merchant's favour. */
export function computeMerchantFee(sold: Cents, fee: Ppm): Cents {
  return computePercentDown(sold, fee);
}

/**
 * Computes the part of the fee that is refunded with a return, from the amounts of the sale before and after it. It is the difference of
 * two fees, so the parts add up: after any returns the remaining fee equals the fee of the remaining sale, and is zero if nothing remains.
 */
export function computeFeeRefund(soldBefore: Cents, soldAfter: Cents, fee: Ppm): Cents {
  return cents(computeMerchantFee(soldBefore, fee) - computeMerchantFee(soldAfter, fee));
}
