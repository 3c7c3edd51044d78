import { floorDiv } from './exact.ts';
import { type Cents, cents } from './money.ts';
import { ONE, type Ppm, percentDown } from './percent.ts';

/** Charged once per due day, on what was outstanding when that day ended unpaid. Rounded down: the legal cap is never passed. */
export function fineOn(outstandingAtDueDayEnd: Cents, fine: Ppm): Cents {
  return percentDown(outstandingAtDueDayEnd, fine);
}

/**
 * Simple interest: the outstanding centavos of every day late, added up, times a thirtieth of the monthly rate, rounded
 * down once. Interest for a while is the difference of two such figures, never a sum of rounded ones.
 */
export function lateInterestOn(centavoDays: bigint, monthlyRate: Ppm): Cents {
  return cents(Number(floorDiv(centavoDays * BigInt(monthlyRate), 30n * ONE)));
}
