import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { parseDay } from '#core/values/day.ts';

export function isPhone(text: string): boolean {
  const number = parsePhoneNumberFromString(text);
  return number?.isValid() === true && number.number === text;
}

/** Converts a phone number as people write it to E.164: 11 98765-4321 and (11) 98765-4321 become +5511987654321. Null if it is invalid. */
export function normalizePhone(text: string): string | null {
  const phone = parsePhoneNumberFromString(text, { defaultCountry: 'BR', extract: false });
  return phone?.isValid() ? phone.number : null;
}

/** Whether the text is not blank and PostgreSQL can store it: it cannot store NUL, nor lone surrogates in JSON. */
export function isText(text: string): boolean {
  return text.trim() !== '' && !text.includes('\0') && text.isWellFormed();
}

const RFC_3339 =
  /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/i;

/** Whether the text is an RFC 3339 timestamp that JavaScript and PostgreSQL can represent: no leap second, no year 0. */
export function isInstant(text: string): boolean {
  const [, day] = RFC_3339.exec(text) ?? [];
  return parseDay(day) !== null && new Date(text).getTime() >= MIN_TIMESTAMP_MS;
}

const MIN_TIMESTAMP_MS = Date.parse('0001-01-01T00:00:00Z');
