import type { Bilingual } from './bilingual.ts';
import { divHalfUp } from './exact.ts';

declare const centsBrand: unique symbol;

/** An amount in centavos: an integer, never -0, at most {@link MAX_CENTS} either way. */
export type Cents = number & { readonly [centsBrand]: true };

/**
 * R$ 10 trillion. Below 2^46 reais two neighbouring centavos are different doubles, so an amount survives a JSON number. It is
 * far below 2^53, so sums of amounts stay exact.
 */
export const MAX_CENTS = 10 ** 15;

export const ZERO = 0 as Cents;

/** Asserts that a computed number is an amount; anything else is a bug. */
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

/**
 * A JSON number in reais, or null when it has more than two decimals. Decided by the shortest decimal that denotes the number,
 * which is what the caller wrote: 10.1 is an amount, 10.005 and 0.1 + 0.2 (0.30000000000000004) are not.
 */
export function parseReais(value: unknown): Cents | null {
  if (typeof value !== 'number' || Object.is(value, -0)) return null;
  return parseDecimal(String(value), /^(-?)(\d{1,14})(?:\.(\d{1,2}))?$/);
}

/** Why {@link parseReais} refuses a number. */
export function amountFault(value: number): Bilingual {
  const most = MAX_CENTS / 100;
  if (value > most) return { en: `must be at most ${most}`, pt: `deve ser no máximo ${most}` };
  if (value < -most) return { en: `must be at least ${-most}`, pt: `deve ser no mínimo ${-most}` };
  return {
    en: 'must be an amount in reais with at most two decimals',
    pt: 'deve ser um valor em reais com no máximo duas casas decimais',
  };
}

/** The string form of the Central Bank's API and of BR Codes: `49.90`, always two decimals, never a sign. */
export function parseReaisText(text: string): Cents | null {
  return parseDecimal(text, /^()(\d{1,10})\.(\d{2})$/);
}

/**
 * An amount as people write it: `1500`, `1500.00`, `1500,00`, `1.500,00`, `R$ 1.500,00`, `-5,00`. Null for anything else, also
 * for `1.500`, which is ambiguous: one and a half, or one thousand five hundred.
 */
export function readReais(text: string): Cents | null {
  const plain = text.trim().replace(/^(-?)R\$\s*/i, '$1');
  const inThousands = /^(-?\d{1,3}(?:\.\d{3})+),(\d{1,2})$/.exec(plain);
  const decimal = inThousands
    ? `${inThousands[1]!.replaceAll('.', '')}.${inThousands[2]}`
    : plain.replace(',', '.');
  return parseDecimal(decimal, /^(-?)(\d{1,14})(?:\.(\d{1,2}))?$/);
}

/** The JSON number in reais: prints with at most two decimals. */
export function toReais(amount: Cents): number {
  return amount / 100;
}

/** The same of a number that is an amount, such as a column. */
export const reaisOf = (amountCents: number): number => toReais(cents(amountCents));

/** `-49.90`, for people. */
export function inReais(amountCents: number): string {
  return (amountCents / 100).toFixed(2);
}

const REAIS = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });

/** `R$ 1.234,50`, with a plain blank. */
export const spokenReais = (amountCents: number): string =>
  REAIS.format(amountCents / 100).replaceAll('\u00a0', ' ');

/** `49.90`, for the Central Bank's API and BR Codes. */
export function toReaisText(amount: Cents): string {
  if (amount < 0) throw new RangeError(`a negative amount has no such form: ${amount}`);
  const digits = String(amount).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** amount × num / den rounded half up to the centavo, exactly. */
export function scaleHalfUp(amount: bigint | Cents, num: bigint, den: bigint): Cents {
  return cents(Number(divHalfUp(BigInt(amount) * num, den)));
}

/** `parts` amounts that differ by at most one centavo and add up to `total`; the odd centavos go to the first ones. */
export function split(total: Cents, parts: number): Cents[] {
  if (!Number.isInteger(parts) || parts < 1) throw new RangeError(`cannot split into ${parts} parts`);
  if (total < 0) throw new RangeError(`cannot split a negative amount: ${total}`);
  const odd = total % parts;
  const even = (total - odd) / parts;
  return Array.from({ length: parts }, (_, i) => cents(i < odd ? even + 1 : even));
}

function parseDecimal(text: string, form: RegExp): Cents | null {
  const match = form.exec(text);
  if (!match) return null;
  const [, sign, whole = '', fraction = ''] = match;
  const n = Number(whole + fraction.padEnd(2, '0'));
  if (n > MAX_CENTS) return null;
  return cents(sign === '-' ? -n : n);
}
