import { type Cents, parseReais } from '#core/money.ts';
import { isText } from '#platform/http/formats.ts';

// Values as PSPs write them: missing or wrong ones become null or empty, and the caller decides.

export function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Where the standard has a list, some PSPs write a single element without one. */
export function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'object' && value !== null ? [value] : [];
}

/** A code has at most 512 characters, anything else less. Longer values fit no index. */
const MOST_CHARACTERS = 600;

/** Text that PostgreSQL can store. */
export function text(value: unknown): string | null {
  return typeof value === 'string' && value.length <= MOST_CHARACTERS && isText(value) ? value : null;
}

/** The standard's own examples are longer than its limit of 32 characters. */
export function endToEndIdOf(value: unknown): string | null {
  return typeof value === 'string' && /^[a-zA-Z0-9]{1,64}$/.test(value) ? value : null;
}

export function integer(value: unknown): number | null {
  const n = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
  return typeof n === 'number' && Number.isInteger(n) && n >= 0 ? n : null;
}

/** '10.00' by the standard; PSPs also write '10', '10.0' and the number 10. */
export function amount(value: unknown): Cents | null {
  const isText = typeof value === 'string' && /^\d{1,10}(\.\d{1,2}0*)?$/.test(value);
  const parsed = parseReais(isText ? Number(value) : value);
  return parsed !== null && parsed >= 0 ? parsed : null;
}

const INSTANT =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:[.,](\d{1,9}))? ?(?:(Z)|([+-]\d{2}):?(\d{2})?)?$/i;

/**
 * RFC 3339, with or without the fraction, the zone or the T. Without a zone it is UTC as in all the standard's examples, never
 * this machine's zone.
 */
export function instant(value: unknown): Date | null {
  const [, day, time, fraction = '0', , hours, minutes = '00'] = INSTANT.exec(text(value) ?? '') ?? [];
  if (day === undefined) return null;
  const date = new Date(
    `${day}T${time}${time!.length === 5 ? ':00' : ''}.${fraction}${hours ? `${hours}:${minutes}` : 'Z'}`,
  );
  return Number.isNaN(date.getTime()) ? null : date;
}
