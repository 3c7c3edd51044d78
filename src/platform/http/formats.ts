import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { parseDay } from '#core/day.ts';

/** A possible number in E.164. */
export function isPhone(text: string): boolean {
  const number = parsePhoneNumberFromString(text);
  return number?.isValid() === true && number.number === text;
}

/** A phone as people write it, in E.164: +5511987654321, 11 98765-4321 and (11) 98765-4321 are the same. Null: it is none. */
export function readPhone(text: string): string | null {
  const phone = parsePhoneNumberFromString(text, { defaultCountry: 'BR', extract: false });
  return phone?.isValid() ? phone.number : null;
}

/** Not blank, and free of what PostgreSQL cannot hold: NUL, and in JSON half of a character, a surrogate by itself. */
export function isText(text: string): boolean {
  return text.trim() !== '' && !text.includes('\0') && text.isWellFormed();
}

const RFC_3339 =
  /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/i;

/** An RFC 3339 instant that both JavaScript and PostgreSQL can represent: no leap second, no year 0. */
export function isInstant(text: string): boolean {
  const [, day] = RFC_3339.exec(text) ?? [];
  return parseDay(day) !== null && new Date(text).getTime() >= FIRST_YEAR;
}

const FIRST_YEAR = Date.parse('0001-01-01T00:00:00Z');
