import { type Cents, cents } from './money.ts';
import { type Ppm, percentDown } from './percent.ts';

/** What the operator keeps of what a merchant sold, rounded down: the odd part of a centavo is the merchant's. */
export function feeOn(sold: Cents, fee: Ppm): Cents {
  return percentDown(sold, fee);
}

/**
 * What of the fee goes back with a return, when so much had been left of the sale and so much is after it. It is the difference
 * of two fees, so the parts add up: after any returns the fee is that of what is left, and none when nothing is.
 */
export function feeBack(leftBefore: Cents, leftAfter: Cents, fee: Ppm): Cents {
  return cents(feeOn(leftBefore, fee) - feeOn(leftAfter, fee));
}
