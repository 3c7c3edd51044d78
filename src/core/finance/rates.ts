import { floorDiv, powerHalfUp } from '../values/exact.ts';
import { type Cents, cents } from '../values/money.ts';
import { computePercentDown, PPM_PER_ONE, type Ppm } from '../values/percent.ts';

/** The sign of the exponent: money grows into the future, and is discounted to the present. */
export const TO_FUTURE = 1;
export const TO_PRESENT = -1;
type Direction = typeof TO_FUTURE | typeof TO_PRESENT;

/** Computes the value today of an amount due in `days` calendar days: amount / (1 + weekly rate)^(days / 7), rounded half up. */
export function presentValue(amount: Cents, weeklyRate: Ppm, days: number): Cents {
  return compound(amount, weeklyRate, days, TO_PRESENT);
}

/** Computes the value on the due day of money paid `days` calendar days early: amount × (1 + weekly rate)^(days / 7), rounded half up. */
export function futureValue(amount: Cents, weeklyRate: Ppm, days: number): Cents {
  return compound(amount, weeklyRate, days, TO_FUTURE);
}

/**
 * Multiplies or divides the amount by the growth of `days`. First estimates with a double, because exact arithmetic is slow and a purchase of
 * 52 installments calls this 52 times. The estimate is used only if its distance from a tie is over a thousand times its error; otherwise, and for large amounts, exact arithmetic decides.
 */
function compound(amount: Cents, weeklyRate: Ppm, days: number, direction: Direction): Cents {
  if (weeklyRate === 0 || days <= 0) return amount;
  const estimate = amount * (1 + weeklyRate / 1e6) ** ((direction * days) / 7);
  const lowerValue = Math.floor(estimate);
  const tieDistance = estimate - lowerValue - 0.5;
  if (Math.abs(tieDistance) > estimate * 1e-10) return cents(tieDistance > 0 ? lowerValue + 1 : lowerValue);
  return compoundExactly(amount, weeklyRate, days, direction);
}

export function compoundExactly(amount: Cents, weeklyRate: Ppm, days: number, direction: Direction): Cents {
  const growth = PPM_PER_ONE + BigInt(weeklyRate);
  const [num, den] = direction === TO_FUTURE ? [growth, PPM_PER_ONE] : [PPM_PER_ONE, growth];
  return cents(Number(powerHalfUp(BigInt(amount), num, den, days, 7)));
}

/** Computes the fine, once per due day, on the amount outstanding at the end of that day. Rounded down, so it never exceeds the legal cap. */
export function computeFine(outstandingAtDueDayEnd: Cents, fineRate: Ppm): Cents {
  return computePercentDown(outstandingAtDueDayEnd, fineRate);
}

/**
 * Computes simple interest: the sum of the outstanding centavos of every late day, times a thirtieth of the monthly rate, rounded down
 * once. Interest for a period is the difference of two such figures, never a sum of rounded figures.
 */
export function computeLateInterest(centavoDays: bigint, monthlyRate: Ppm): Cents {
  return cents(Number(floorDiv(centavoDays * BigInt(monthlyRate), 30n * PPM_PER_ONE)));
}
