import {
  addDays,
  type Day,
  dayFromNumber,
  dayNumber,
  daysFromCivil,
  weekdayOfNumber,
  yearOf,
} from './day.ts';

/**
 * Days on which Brazilian banks do not settle (Res. CMN 4.880/2020 art. 6 and the national holidays). State and city
 * holidays are left out: there is no official list. Ash Wednesday and 31 December are business days.
 */
const FIXED_HOLIDAYS: readonly { month: number; date: number; sinceYear?: number }[] = [
  { month: 1, date: 1 }, // Confraternização Universal
  { month: 4, date: 21 }, // Tiradentes
  { month: 5, date: 1 }, // Dia do Trabalho
  { month: 9, date: 7 }, // Independência
  { month: 10, date: 12 }, // Nossa Senhora Aparecida
  { month: 11, date: 2 }, // Finados
  { month: 11, date: 15 }, // Proclamação da República
  { month: 11, date: 20, sinceYear: 2024 }, // Consciência Negra (Lei 14.759/2023)
  { month: 12, date: 25 }, // Natal
];

/** Holidays as days after Easter Sunday: Carnival Monday and Tuesday, Good Friday, Corpus Christi. */
const EASTER_HOLIDAYS = [-48, -47, -2, 60];

/** Whether banks settle on that day: it is not a weekend or a national bank holiday. */
export function isBusinessDay(day: Day): boolean {
  return isSettlementDay(dayNumber(day), yearOf(day));
}

/** Computes the effective due day: a due day that is not a business day moves to the next business day (Lei 7.089/1983). */
export function computeEffectiveDueDay(dueOn: Day): Day {
  const dueNumber = dayNumber(dueOn);
  const year = yearOf(dueOn);
  let candidate = dueNumber;
  // The holidays of both years are needed if the day moves into the next year.
  while (!(isSettlementDay(candidate, year) && isSettlementDay(candidate, year + 1))) candidate += 1;
  return candidate === dueNumber ? dueOn : dayFromNumber(candidate);
}

/** Adds business days to a day. With 0, returns the day itself or the next business day. */
export function addBusinessDays(from: Day, days: number): Day {
  let currentDay = computeEffectiveDueDay(from);
  // From a non-business day, the next business day counts as the first.
  const remainingDays = currentDay === from || days === 0 ? days : days - 1;
  for (let i = 0; i < remainingDays; i++) currentDay = computeEffectiveDueDay(addDays(currentDay, 1));
  return currentDay;
}

/** Whether a day is on no weekend and no holiday of this year. */
function isSettlementDay(dayIndex: number, year: number): boolean {
  const weekday = weekdayOfNumber(dayIndex);
  return weekday !== 0 && weekday !== 6 && !listHolidays(year).has(dayIndex);
}

/** Holidays are cached, because every due day needs them. The cache has at most ten thousand years with thirteen numbers each. */
const holidaysByYear = new Map<number, ReadonlySet<number>>();

/** Returns the day numbers of the national bank holidays of a year, including those on weekends. */
export function listHolidays(year: number): ReadonlySet<number> {
  const cachedHolidays = holidaysByYear.get(year);
  if (cachedHolidays) return cachedHolidays;
  const easterSunday = findEaster(year);
  const dayNumbers = new Set(EASTER_HOLIDAYS.map((days) => easterSunday + days));
  for (const { month, date, sinceYear = 0 } of FIXED_HOLIDAYS) {
    if (year >= sinceYear) dayNumbers.add(daysFromCivil(year, month, date));
  }
  holidaysByYear.set(year, dayNumbers);
  return dayNumbers;
}

/** Returns the day number of Easter Sunday in the Gregorian calendar. The letters are those of the published algorithm (Meeus, Jones, Butcher). */
export function findEaster(year: number): number {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = Math.floor(b / 4);
  const e = b % 4;
  const f = Math.floor((b + 8) / 25);
  const g = Math.floor((b - f + 1) / 3);
  const h = (19 * a + b - d - g + 15) % 30;
  const i = Math.floor(c / 4);
  const k = c % 4;
  const l = (32 + 2 * e + 2 * i - h - k) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const n = h + l - 7 * m + 114;
  return daysFromCivil(year, Math.floor(n / 31), (n % 31) + 1);
}
