import { type Cents, parseReais, parseReaisText } from '#core/money.ts';

// Values as PSPs write them: what is missing or of another kind becomes null or empty, and the caller decides.

export function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

export function integer(value: unknown): number | null {
  const n = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
  return typeof n === 'number' && Number.isInteger(n) && n >= 0 ? n : null;
}

/** Text by the standard; a number is met all the same. */
export function amount(value: unknown): Cents | null {
  const parsed = typeof value === 'string' ? parseReaisText(value) : parseReais(value);
  return parsed !== null && parsed >= 0 ? parsed : null;
}

/** RFC 3339. Where a PSP leaves the zone out it is UTC as in all the standard's examples, never this machine's. */
export function instant(value: unknown): Date | null {
  const written = text(value);
  if (written === null || !/^\d{4}-\d{2}-\d{2}T/.test(written)) return null;
  const date = new Date(/(Z|[+-]\d{2}:?\d{2})$/i.test(written) ? written : `${written}Z`);
  return Number.isNaN(date.getTime()) ? null : date;
}
