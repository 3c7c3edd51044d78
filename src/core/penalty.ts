import { floorDiv } from './exact.ts';
import { type Cents, cents } from './money.ts';
import { ONE, type Ppm, percentDown } from './percent.ts';

/** The fine, once per due day, on what was outstanding when that day ended. Rounded down: it never exceeds the legal cap. */
export function fineOn(outstandingAtDueDayEnd: Cents, fine: Ppm): Cents {
  return percentDown(outstandingAtDueDayEnd, fine);
}

/**
 * Simple interest: the sum of the outstanding centavos of every late day, times a thirtieth of the monthly rate, rounded down
 * once. Interest for a period is the difference of two such figures, never a sum of rounded ones.
 */
export function lateInterestOn(centavoDays: bigint, monthlyRate: Ppm): Cents {
  return cents(Number(floorDiv(centavoDays * BigInt(monthlyRate), 30n * ONE)));
}
