import { floorDiv } from '../values/exact.ts';
import { type Cents, cents } from '../values/money.ts';
import { PPM_PER_ONE, type Ppm, percentDown } from '../values/percent.ts';

/** Computes the fine, once per due day, on the amount outstanding at the end of that day. Rounded down, so it never exceeds the legal cap. */
export function computeFine(outstandingAtDueDayEnd: Cents, fine: Ppm): Cents {
  return percentDown(outstandingAtDueDayEnd, fine);
}

/**
 * Computes simple interest: the sum of the outstanding centavos of every late day, times a thirtieth of the monthly rate, rounded down
 * once. Interest for a period is the difference of two such figures, never a sum of rounded figures.
 */
export function computeLateInterest(centavoDays: bigint, monthlyRate: Ppm): Cents {
  return cents(Number(floorDiv(centavoDays * BigInt(monthlyRate), 30n * PPM_PER_ONE)));
}
