import { type Cents, cents } from './money.ts';
import { type Ppm, percentDown } from './percent.ts';

/** The operator's fee on a sale, rounded down in the merchant's favour. */
export function feeOn(sold: Cents, fee: Ppm): Cents {
  return percentDown(sold, fee);
}

/**
 * The part of the fee that is refunded with a return, from the amounts of the sale before and after it. It is the difference of
 * two fees, so the parts add up: after any returns the fee is that of the rest, and zero when nothing is left.
 */
export function feeBack(leftBefore: Cents, leftAfter: Cents, fee: Ppm): Cents {
  return cents(feeOn(leftBefore, fee) - feeOn(leftAfter, fee));
}
