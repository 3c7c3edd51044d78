import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './duration.ts';

declare const dayBrand: unique symbol;

/** A calendar day, 'YYYY-MM-DD', which compares with < and > as text. Always a day in São Paulo. */
export type Day = string & { readonly [dayBrand]: true };

/** Milliseconds since 1970-01-01T00:00:00Z, as Date.getTime() gives them. */
export type Instant = number;

/** Parses a day; null if it does not exist (2026-02-29). */
export function parseDay(text: unknown): Day | null {
  if (typeof text !== 'string' || !/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(text)) return null;
  // 31 April is converted to 1 May.
  return dayFromNumber(dayNumber(text as Day)) === text ? (text as Day) : null;
}

/** Brands a text as a `Day`, as `cents` brands an amount. Throws if the day does not exist. */
export function day(text: string): Day {
  const parsedDay = parseDay(text);
  if (parsedDay === null) throw new RangeError(`not a day: ${text}`);
  return parsedDay;
}

/** Returns the number of days since 1970-01-01. */
export function dayNumber(date: Day): number {
  return daysFromCivil(yearOf(date), readTwoDigits(date, 5), readTwoDigits(date, 8));
}

export function yearOf(date: Day): number {
  return readTwoDigits(date, 0) * 100 + readTwoDigits(date, 2);
}

/** Reads two digits as a number. This is called several times for every installment; slicing and parsing would take five times as long. */
function readTwoDigits(date: Day, index: number): number {
  return (date.charCodeAt(index) - 48) * 10 + date.charCodeAt(index + 1) - 48;
}

/** The Gregorian calendar repeats after an era of 400 years. */
const DAYS_PER_ERA = 146_097;
/** Days from 0000-03-01 to 1970-01-01. */
const EPOCH_OFFSET = 719_468;

/** Returns the days since 1970-01-01 (proleptic Gregorian). Counts years from March, so that the leap day comes last (H. Hinnant). */
export function daysFromCivil(year: number, month: number, dayOfMonth: number): number {
  const shiftedYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(shiftedYear / 400);
  const yearOfEra = shiftedYear - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + dayOfMonth - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_PER_ERA + dayOfEra - EPOCH_OFFSET;
}

/** The inverse of {@link dayNumber}, by the algorithm of H. Hinnant. */
export function dayFromNumber(number: number): Day {
  const shiftedNumber = number + EPOCH_OFFSET;
  const era = Math.floor(shiftedNumber / DAYS_PER_ERA);
  const dayOfEra = shiftedNumber - era * DAYS_PER_ERA;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / (DAYS_PER_ERA - 1))) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthSinceMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const dayOfMonth = dayOfYear - Math.floor((153 * monthSinceMarch + 2) / 5) + 1;
  const month = monthSinceMarch < 10 ? monthSinceMarch + 3 : monthSinceMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  if (!(year >= 0 && year <= 9999))
    throw new RangeError(`day number ${number} lies outside the years 0000 to 9999`);
  return `${String(year).padStart(4, '0')}-${formatTwoDigits(month)}-${formatTwoDigits(dayOfMonth)}` as Day;
}

export function addDays(from: Day, days: number): Day {
  return dayFromNumber(dayNumber(from) + days);
}

/** Counts the calendar days from one day to another; negative if `to` comes first. */
export function daysBetween(from: Day, to: Day): number {
  return dayNumber(to) - dayNumber(from);
}

export function laterDay(a: Day, b: Day): Day {
  if (a < b) return b;
  return a;
}

/** Returns 0 for Sunday to 6 for Saturday. */
export function weekday(date: Day): number {
  return weekdayOfNumber(dayNumber(date));
}

export function weekdayOfNumber(dayIndex: number): number {
  return (((dayIndex + 4) % 7) + 7) % 7; // 1970-01-01 was a Thursday
}

export function saoPauloDay(instant: Instant): Day {
  return dayFromNumber(saoPauloDayNumber(instant));
}

export function saoPauloDayNumber(instant: Instant): number {
  return Math.floor((instant + findOffsetMs(instant)) / DAY_MS);
}

/** Returns the first instant of a São Paulo day: midnight, or 01:00 on days when summer time started at midnight. */
export function startOfDay(date: Day): Instant {
  const number = dayNumber(date);
  const utcMidnight = number * DAY_MS;
  const start = utcMidnight - findOffsetMs(utcMidnight + DAY_MS / 2);
  // If summer time starts, the noon offset (−2) gives 02:00 UTC, still the day before; the offset at UTC midnight (−3) gives 01:00 local time.
  return saoPauloDayNumber(start) === number ? start : utcMidnight - findOffsetMs(utcMidnight);
}

/** Returns the first instant after a São Paulo day, that is, the start of the next. */
export function endOfDay(date: Day): Instant {
  return startOfDay(addDays(date, 1));
}

/**
 * Finds the UTC offset of São Paulo in the time zone data of the runtime: it has been UTC−3 without summer time since
 * 2019-02-17, but this can change. Offsets change on the hour, so they are cached by UTC hour; Intl takes about a hundred
 * times as long as the lookup.
 */
function findOffsetMs(instant: Instant): number {
  const hour = Math.floor(instant / HOUR_MS);
  const cachedOffset = offsetsByHour.get(hour);
  if (cachedOffset !== undefined) return cachedOffset;
  const parts: Record<string, number> = {};
  for (const { type, value } of saoPauloFormat.formatToParts(hour * HOUR_MS)) parts[type] = Number(value);
  const { year = 0, month = 0, day: dayOfMonth = 0, hour: hourOfDay = 0, minute = 0, second = 0 } = parts;
  const localMs =
    daysFromCivil(year, month, dayOfMonth) * DAY_MS +
    hourOfDay * HOUR_MS +
    minute * MINUTE_MS +
    second * SECOND_MS;
  const offset = localMs - hour * HOUR_MS;
  if (offsetsByHour.size >= MAX_CACHED_OFFSETS) offsetsByHour.clear();
  offsetsByHour.set(hour, offset);
  return offset;
}

const MAX_CACHED_OFFSETS = 50_000;
const offsetsByHour = new Map<number, number>();

const saoPauloFormat = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Sao_Paulo',
  calendar: 'gregory',
  numberingSystem: 'latn',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

function formatTwoDigits(n: number): string {
  return n < 10 ? `0${n}` : String(n);
}
