import { type Day, parseDay, yearOf } from './day.ts';

const FIRST_YEAR = 1900;
const LAST_YEAR = 2099;

/** Younger people owe nothing: contracts of minors can be undone (Civil Code art. 171). */
export const ADULT_YEARS = 18;

/** A day that a customer may have been born on, whatever the day is today; null for anything else. */
export function parseBirthDate(text: unknown): Day | null {
  const born = parseDay(text);
  return born !== null && yearOf(born) >= FIRST_YEAR && yearOf(born) <= LAST_YEAR ? born : null;
}

/** Full years on a day. Who was born on 29 February is a year older on 1 March where there is no such day (Lei 810/1949). */
export function ageOn(on: Day, born: Day): number {
  const years = yearOf(on) - yearOf(born);
  return on.slice(5) < born.slice(5) ? years - 1 : years;
}
