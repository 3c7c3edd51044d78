import { powerHalfUp } from './exact.ts';
import { type Cents, cents } from './money.ts';
import { ONE, type Ppm } from './percent.ts';

/** What an amount due in `days` calendar days is worth today: amount / (1 + weekly rate)^(days / 7), rounded half up. */
export function presentValue(amount: Cents, weekly: Ppm, days: number): Cents {
  return compounded(amount, weekly, days, -1);
}

/** What money paid `days` calendar days early is worth on the due day: amount × (1 + weekly rate)^(days / 7), rounded half up. */
export function futureValue(amount: Cents, weekly: Ppm, days: number): Cents {
  return compounded(amount, weekly, days, 1);
}

/**
 * A purchase of 52 installments calls this 52 times, so a double is computed first. It is used only if its distance from a tie is
 * over a thousand times its error; otherwise, and for large amounts, exact arithmetic decides.
 */
function compounded(amount: Cents, weekly: Ppm, days: number, sign: 1 | -1): Cents {
  if (weekly === 0 || days <= 0) return amount;
  const estimate = amount * (1 + weekly / 1e6) ** ((sign * days) / 7);
  const below = Math.floor(estimate);
  const pastTie = estimate - below - 0.5;
  if (Math.abs(pastTie) > estimate * 1e-10) return cents(pastTie > 0 ? below + 1 : below);
  return exactlyCompounded(amount, weekly, days, sign);
}

export function exactlyCompounded(amount: Cents, weekly: Ppm, days: number, sign: 1 | -1): Cents {
  const growth = ONE + BigInt(weekly);
  const [num, den] = sign === 1 ? [growth, ONE] : [ONE, growth];
  return cents(Number(powerHalfUp(BigInt(amount), num, den, days, 7)));
}
