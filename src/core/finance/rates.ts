import { floorDiv, powerHalfUp } from '../values/exact.ts';
import { type Cents, cents } from '../values/money.ts';
import { computePercentDown, PPM_PER_ONE, type Ppm } from '../values/percent.ts';

/** Computes the value today of an amount due in `days` calendar days: amount / (1 + weekly rate)^(days / 7), rounded half up. */
export function presentValue(amount: Cents, weeklyRate: Ppm, days: number): Cents {
  return compound(amount, weeklyRate, days, -1);
}

/** Computes the value on the due day of money paid `days` calendar days early: amount × (1 + weekly rate)^(days / 7), rounded half up. */
export function futureValue(amount: Cents, weeklyRate: Ppm, days: number): Cents {
  return compound(amount, weeklyRate, days, 1);
}

/**
 * Estimates with a double, because exact arithmetic is slow and a purchase of 52 installments calls this 52 times. The estimate is used only
 * if its distance from a tie is over a thousand times its error; otherwise, and for large amounts, exact arithmetic decides.
 */
function compound(amount: Cents, weeklyRate: Ppm, days: number, sign: 1 | -1): Cents {
  if (weeklyRate === 0 || days <= 0) return amount;
  const estimate = amount * (1 + weeklyRate / 1e6) ** ((sign * days) / 7);
  const lowerValue = Math.floor(estimate);
  const tieDistance = estimate - lowerValue - 0.5;
  if (Math.abs(tieDistance) > estimate * 1e-10) return cents(tieDistance > 0 ? lowerValue + 1 : lowerValue);
  return compoundExactly(amount, weeklyRate, days, sign);
}

/** `sign`: 1 compounds into the future, -1 discounts to the present. */
export function compoundExactly(amount: Cents, weeklyRate: Ppm, days: number, sign: 1 | -1): Cents {
  const growth = PPM_PER_ONE + BigInt(weeklyRate);
  const [num, den] = sign === 1 ? [growth, PPM_PER_ONE] : [PPM_PER_ONE, growth];
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
