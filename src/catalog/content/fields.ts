import type { Bilingual } from '#core/values/bilingual.ts';
import { MAX_CENTS, parseReais, parseReaisInput } from '#core/values/money.ts';
import { SLUG } from '#platform/http/schemas.ts';

/** Parses one field of a record, which is text from CSV or any value from JSON Lines. Throws `InvalidField`. */
export type Field<T> = (raw: unknown) => T;

export class InvalidField extends Error {
  readonly text: Bilingual;
  constructor(text: Bilingual) {
    super(text.en);
    this.text = text;
  }
}

export type FieldViolation = { readonly field: string; readonly message: Bilingual };

export const describeViolations = (violations: readonly FieldViolation[]): Bilingual => ({
  en: violations.map(({ field, message }) => `${field}: ${message.en}`).join('; '),
  pt: violations.map(({ field, message }) => `${field}: ${message.pt}`).join('; '),
});

const isAbsent = (raw: unknown): boolean => raw === undefined || raw === null || raw === '';

function readText(raw: unknown, maxLength: number): string {
  if (typeof raw !== 'string') throw new InvalidField({ en: 'must be text', pt: 'deve ser um texto' });
  const text = raw.trim().replaceAll(/\r\n?/g, '\n');
  if (text.length > maxLength)
    throw new InvalidField({
      en: `has ${text.length} characters; at most ${maxLength} fit`,
      pt: `tem ${text.length} caracteres; cabem no máximo ${maxLength}`,
    });
  if (text.includes('\0'))
    throw new InvalidField({ en: 'contains a NUL character', pt: 'contém o caractere NUL' });
  if (!text.isWellFormed())
    throw new InvalidField({ en: 'contains half of a character', pt: 'contém um caractere incompleto' });
  return text;
}

export const required =
  <T>(parse: Field<T>): Field<T> =>
  (raw) => {
    if (isAbsent(raw)) throw new InvalidField({ en: 'is missing', pt: 'é obrigatório' });
    return parse(raw);
  };

export const optional =
  <T, D>(parse: Field<T>, defaultValue: D): Field<T | D> =>
  (raw) =>
    isAbsent(raw) ? defaultValue : parse(raw);

export const text =
  (maxLength: number): Field<string> =>
  (raw) => {
    const value = readText(raw, maxLength);
    if (value === '') throw new InvalidField({ en: 'is blank', pt: 'está em branco' });
    return value;
  };

export const slug: Field<string> = (raw) => {
  const value = readText(raw, 100);
  if (!SLUG.test(value))
    throw new InvalidField({
      en: `'${value}' is not a slug: lower-case letters, digits and single hyphens`,
      pt: `'${value}' não é um slug: letras minúsculas, dígitos e hifens simples`,
    });
  return value;
};

const STATE_CODES = new Set(
  'AC AL AM AP BA CE DF ES GO MA MG MS MT PA PB PE PI PR RJ RN RO RR RS SC SE SP TO'.split(' '),
);

export const stateCode: Field<string> = (raw) => {
  const value = readText(raw, 2).toUpperCase();
  if (!STATE_CODES.has(value))
    throw new InvalidField({
      en: `'${value}' is not a state: two letters, like SP`,
      pt: `'${value}' não é um estado: duas letras, como SP`,
    });
  return value;
};

/** A web URL, or the path of an uploaded file. */
export const webUrl: Field<string> = (raw) => {
  const value = readText(raw, 500);
  if (/^\/media\/[\w./-]+$/.test(value) && !value.includes('..')) return value;
  if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return value;
  throw new InvalidField({
    en: `'${value}' is neither a web address nor a path under /media/`,
    pt: `'${value}' não é um endereço da web nem um caminho em /media/`,
  });
};

/** A percentage with at most four decimals, like the terms of a purchase. Accepts a decimal comma. Returned as text, which is exact. */
export const percent: Field<string> = (raw) => {
  const value = typeof raw === 'number' ? String(raw) : readText(raw, 10).replace(',', '.');
  if (!/^\d{1,3}(\.\d{1,4})?$/.test(value) || Number(value) > 100) {
    throw new InvalidField({
      en: `'${value}' is not a percentage from 0 to 100 with at most four decimals`,
      pt: `'${value}' não é uma porcentagem de 0 a 100 com até quatro casas decimais`,
    });
  }
  return value;
};

export const integer: Field<number> = (raw) => {
  const value = typeof raw === 'number' ? String(raw) : readText(raw, 10);
  if (!/^-?\d{1,9}$/.test(value))
    throw new InvalidField({
      en: `'${value}' is not a whole number`,
      pt: `'${value}' não é um número inteiro`,
    });
  return Number(value);
};

export const integerBetween =
  (min: number, max: number): Field<number> =>
  (raw) => {
    const value = integer(raw);
    if (value < min || value > max)
      throw new InvalidField({
        en: `is ${value}; it must be from ${min} to ${max}`,
        pt: `é ${value}; vai de ${min} a ${max}`,
      });
    return value;
  };

/** An amount above zero. */
export const reaisToCents: Field<number> = (raw) => {
  const amount = typeof raw === 'number' ? parseReais(raw) : parseReaisInput(readText(raw, 20));
  const maxReais = MAX_CENTS / 100;
  if (typeof raw === 'number' && raw > maxReais)
    throw new InvalidField({
      en: `is ${raw}; the maximum is ${maxReais}`,
      pt: `é ${raw}; vai até ${maxReais}`,
    });
  if (amount === null || amount <= 0)
    throw new InvalidField({
      en: `'${raw}' is not an amount above zero with at most two decimals`,
      pt: `'${raw}' não é um valor acima de zero com até duas casas decimais`,
    });
  return amount;
};

const YES_TEXTS = ['true', 'sim', 'yes', '1'];
const NO_TEXTS = ['false', 'não', 'nao', 'no', '0'];

export const yesOrNo: Field<boolean> = (raw) => {
  if (typeof raw === 'boolean') return raw;
  const value = readText(raw, 10).toLowerCase();
  if (YES_TEXTS.includes(value)) return true;
  if (NO_TEXTS.includes(value)) return false;
  throw new InvalidField({
    en: `'${value}' is neither true nor false`,
    pt: `'${value}' não é verdadeiro nem falso`,
  });
};

/** A JSON array, or text with words separated by semicolons or bars (CSV). */
export const words: Field<string[]> = (raw) => {
  const rawWords = Array.isArray(raw) ? raw : readText(raw, 1000).split(/[;|]/);
  return rawWords.map((rawWord) => word(rawWord));
};

const word: Field<string> = (raw) => {
  const value = text(60)(raw);
  if (/[;|]/.test(value))
    throw new InvalidField({
      en: `'${value}' contains a semicolon or a bar`,
      pt: `'${value}' contém ponto e vírgula ou barra vertical`,
    });
  return value;
};

export const instant: Field<Date> = (raw) => {
  const value = readText(raw, 40);
  const [, day] =
    /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/.exec(value) ?? [];
  if (day === undefined || Number.isNaN(Date.parse(value)) || !isExistingDay(day)) {
    throw new InvalidField({
      en: `'${value}' is not a date and time like 2026-11-15T09:00:00-03:00`,
      pt: `'${value}' não é data e hora como 2026-11-15T09:00:00-03:00`,
    });
  }
  return new Date(value);
};

/** Checks that the day exists: `Date` parses February 30 as March 2. */
function isExistingDay(day: string): boolean {
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}
