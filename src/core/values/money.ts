import type { Bilingual } from './bilingual.ts';
import { divHalfUp } from './exact.ts';

declare const centsBrand: unique symbol;

/** An amount in centavos: an integer, never -0, at most {@link MAX_CENTS} either way. */
export type Cents = number & { readonly [centsBrand]: true };

/**
 * R$ 10 trillion. Below 2^46 reais two neighbouring centavos are different doubles, so an amount survives a JSON number. In
 * centavos it is far below 2^53, so sums of amounts stay exact.
 */
export const MAX_CENTS = 10 ** 15;

export const ZERO = 0 as Cents;

/** Asserts that a computed number is an amount in centavos; anything else is a bug. */
export function cents(n: number): Cents {
  if (!Number.isSafeInteger(n) || Math.abs(n) > MAX_CENTS)
    throw new RangeError(`not an amount in centavos: ${n}`);
  return (n + 0) as Cents; // -0 + 0 is 0
}

export function sum(amounts: Iterable<Cents>): Cents {
  let total = 0;
  for (const amount of amounts) total += amount;
  return cents(total);
}

export function min(a: Cents, b: Cents): Cents {
  return a < b ? a : b;
}

/** A millionth of a centavo, in reais. Rounding errors of sums and products of floating-point amounts are smaller. */
const MAX_NOISE_REAIS = 1e-8;

/**
 * Parses a JSON number in reais; null if it has more than two decimals. Noise of floating-point arithmetic is rounded: 10.1 and 0.1 + 0.2
 * (0.30000000000000004) are amounts, 10.005 is not.
 */
export function parseReais(value: unknown): Cents | null {
  if (typeof value !== 'number' || Object.is(value, -0)) return null;
  const nearestAmount = Math.round(value * 100) / 100;
  const isNoise = Math.abs(value - nearestAmount) <= MAX_NOISE_REAIS;
  return parseDecimal(String(isNoise ? nearestAmount : value), /^(-?)(\d{1,14})(?:\.(\d{1,2}))?$/);
}

/** Describes why {@link parseReais} rejects a number. */
export function describeAmountError(value: number): Bilingual {
  const maxReais = MAX_CENTS / 100;
  if (value > maxReais) return { en: `must be at most ${maxReais}`, pt: `deve ser no máximo ${maxReais}` };
  if (value < -maxReais)
    return { en: `must be at least ${-maxReais}`, pt: `deve ser no mínimo ${-maxReais}` };
  return {
    en: 'must be an amount in reais with at most two decimals',
    pt: 'deve ser um valor em reais com no máximo duas casas decimais',
  };
}

/** Parses the string form of the Central Bank's API and of BR Codes: `49.90`, always two decimals, never a sign. */
export function parseReaisText(text: string): Cents | null {
  // The empty group stands for the sign that `parseDecimal` expects.
  return parseDecimal(text, /^()(\d{1,10})\.(\d{2})$/);
}

/**
 * Parses an amount as people write it: `1500`, `1500.00`, `1500,00`, `1.500,00`, `R$ 1.500,00`, `-5,00`. Null for anything else,
 * including `1.500`, which is ambiguous: one and a half, or one thousand five hundred.
 */
export function parseReaisInput(text: string): Cents | null {
  const withoutSymbol = text.trim().replace(/^(-?)R\$\s*/i, '$1');
  const [, reaisWithPoints, centavos] = /^(-?\d{1,3}(?:\.\d{3})+),(\d{1,2})$/.exec(withoutSymbol) ?? [];
  const decimalText =
    reaisWithPoints === undefined
      ? withoutSymbol.replace(',', '.')
      : `${reaisWithPoints.replaceAll('.', '')}.${centavos}`;
  return parseDecimal(decimalText, /^(-?)(\d{1,14})(?:\.(\d{1,2}))?$/);
}

/** Converts to a JSON number in reais, which prints with at most two decimals. */
export function toReais(amount: Cents): number {
  return amount / 100;
}

/** Like `toReais`, for a plain number in centavos, such as a column. */
export const centsToReais = (amountCents: number): number => toReais(cents(amountCents));

/** Formats as `-49.90`. */
export function formatPlainReais(amountCents: number): string {
  return (amountCents / 100).toFixed(2);
}

const REAIS = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });

/** Formats as `R$ 1.234,50`, with an ordinary space. */
export const formatReais = (amountCents: number): string =>
  REAIS.format(amountCents / 100).replaceAll('\u00a0', ' ');

/** Formats as `49.90`, for the Central Bank's API and BR Codes. */
export function toReaisText(amount: Cents): string {
  if (amount < 0) throw new RangeError(`a negative amount cannot be formatted: ${amount}`);
  const digits = String(amount).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Returns amount × num / den rounded half up to the centavo, exactly. */
export function scaleHalfUp(amount: bigint | Cents, num: bigint, den: bigint): Cents {
  return cents(Number(divHalfUp(BigInt(amount) * num, den)));
}

/** Splits `total` into `parts` amounts that differ by at most one centavo. The first amounts get the remaining centavos. */
export function split(total: Cents, parts: number): Cents[] {
  if (!Number.isInteger(parts) || parts < 1) throw new RangeError(`cannot split into ${parts} parts`);
  if (total < 0) throw new RangeError(`cannot split a negative amount: ${total}`);
  const remainder = total % parts;
  const quotient = (total - remainder) / parts;
  return Array.from({ length: parts }, (_, i) => cents(i < remainder ? quotient + 1 : quotient));
}

/** Parses a decimal number of reais. The groups of `pattern` must be the sign, the whole reais and the centavos. */
function parseDecimal(text: string, pattern: RegExp): Cents | null {
  const match = pattern.exec(text);
  if (!match) return null;
  const [, sign, whole = '', fraction = ''] = match;
  const absoluteCents = Number(whole + fraction.padEnd(2, '0'));
  if (absoluteCents > MAX_CENTS) return null;
  return cents(sign === '-' ? -absoluteCents : absoluteCents);
}
