import { floorDiv } from './exact.ts';
import { type Cents, cents, scaleHalfUp } from './money.ts';

declare const ppmBrand: unique symbol;

/**
 * A percentage as an integer of parts per million: 2 % is 20 000. A percentage on the wire has at most four decimals,
 * and 0.0001 % is exactly one part per million, so arithmetic on percentages is exact.
 */
export type Ppm = number & { readonly [ppmBrand]: true };

export const PPM_PER_ONE = 1_000_000n;

/** Asserts that a computed number is a rate: whole parts per million, not negative. */
export function ppm(n: number): Ppm {
  if (!Number.isSafeInteger(n) || n < 0) throw new RangeError(`not a rate in parts per million: ${n}`);
  return (n + 0) as Ppm;
}

/**
 * Parses a percentage from JSON (2.5) or from PostgreSQL's numeric ('2.5000'); null if it is negative, not a number, or has more than
 * four decimals in its shortest decimal form.
 */
export function parsePercent(value: unknown): Ppm | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  if (Object.is(value, -0)) return null;
  const match = /^(\d{1,9})(?:\.(\d{1,4}))?$/.exec(String(value));
  if (!match) return null;
  const [, whole = '', fraction = ''] = match;
  return ppm(Number(whole + fraction.padEnd(4, '0')));
}

/** Converts to a percentage as a JSON number, which prints with at most four decimals. */
export function toPercent(rate: Ppm): number {
  return rate / 10_000;
}

/** Computes a percentage of an amount, rounded half up to the centavo, as for charges. */
export function computePercentHalfUp(amount: Cents, rate: Ppm): Cents {
  return scaleHalfUp(amount, BigInt(rate), PPM_PER_ONE);
}

/** Computes a percentage of an amount, rounded down to the centavo, as for cashback. */
export function computePercentDown(amount: Cents, rate: Ppm): Cents {
  return cents(Number(floorDiv(BigInt(amount) * BigInt(rate), PPM_PER_ONE)));
}
