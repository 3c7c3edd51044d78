import { type Cents, scaleHalfUp } from './money.ts';
import { ONE, type Ppm, percentHalfUp } from './percent.ts';

/** Charged once per due day, on what was outstanding when that day ended unpaid. */
export function fineOn(outstandingAtDueDayEnd: Cents, fine: Ppm): Cents {
  return percentHalfUp(outstandingAtDueDayEnd, fine);
}

/**
 * Simple interest: the outstanding centavos of every day late, added up, times a thirtieth of the monthly rate, rounded
 * half up once. Interest for a while is the difference of two such figures, never a sum of rounded ones.
 */
export function lateInterestOn(centavoDays: bigint, monthlyRate: Ppm): Cents {
  return scaleHalfUp(centavoDays, BigInt(monthlyRate), 30n * ONE);
}
