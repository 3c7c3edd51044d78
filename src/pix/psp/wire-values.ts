import { type Cents, parseReais } from '#core/values/money.ts';
import { isText } from '#platform/http/formats.ts';

// Parsers of single values as PSPs send them. A missing or invalid value becomes null or empty, and the caller decides.

export const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** Instead of a list with one element, some PSPs send the element itself. */
export function asList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'object' && value !== null ? [value] : [];
}

/** A BR Code has at most 512 characters, other values fewer. Longer values do not fit into an index. */
const MAX_LENGTH = 600;

/** Accepts only text that PostgreSQL can store. */
export const parseText = (value: unknown): string | null =>
  typeof value === 'string' && value.length <= MAX_LENGTH && isText(value) ? value : null;

/** Accepts 64 characters, because the standard's own examples exceed its limit of 32. */
export const parseEndToEndId = (value: unknown): string | null =>
  typeof value === 'string' && /^[a-zA-Z0-9]{1,64}$/.test(value) ? value : null;

export function parseInteger(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : null;
}

/** The standard's form is '10.00'; PSPs also send '10', '10.0' and the number 10. */
export function parseAmount(value: unknown): Cents | null {
  const isDecimal = typeof value === 'string' && /^\d{1,10}(\.\d{1,2}0*)?$/.test(value);
  const parsed = parseReais(isDecimal ? Number(value) : value);
  return parsed !== null && parsed >= 0 ? parsed : null;
}

const INSTANT_PATTERN =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:[.,](\d{1,9}))? ?(?:(Z)|([+-]\d{2}):?(\d{2})?)?$/i;

/**
 * Parses RFC 3339, with or without the fraction, the zone or the T. Without a zone it is UTC, as in the examples of the standard,
 * never the zone of this machine.
 */
export function parseInstant(value: unknown): Date | null {
  const [, day, time, fraction = '0', , hours, minutes = '00'] =
    INSTANT_PATTERN.exec(parseText(value) ?? '') ?? [];
  if (day === undefined) return null;
  const date = new Date(
    `${day}T${time}${time!.length === 5 ? ':00' : ''}.${fraction}${hours ? `${hours}:${minutes}` : 'Z'}`,
  );
  return Number.isNaN(date.getTime()) ? null : date;
}
