import { type Day, parseDay, yearOf } from './day.ts';

const FIRST_YEAR = 1900;
const LAST_YEAR = 2099;

/** Minors cannot buy: their contracts can be annulled (Civil Code art. 171). */
export const ADULT_YEARS = 18;

/** Parses a plausible date of birth, regardless of the current day; null for anything else. */
export function parseBirthDate(text: unknown): Day | null {
  const date = parseDay(text);
  return date !== null && yearOf(date) >= FIRST_YEAR && yearOf(date) <= LAST_YEAR ? date : null;
}

/** Computes the age on a day. In common years a person born on 29 February has the birthday on 1 March (Lei 810/1949). */
export function ageOn(today: Day, birthDate: Day): number {
  const years = yearOf(today) - yearOf(birthDate);
  return today.slice(5) < birthDate.slice(5) ? years - 1 : years;
}
