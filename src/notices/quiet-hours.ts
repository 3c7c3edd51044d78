import { holidayNumbers } from '#core/calendar.ts';
import { addDays, type Day, dayNumber, saoPauloDay, startOfDay, weekday, yearOf } from '#core/day.ts';
import { HOUR_MS } from '#core/duration.ts';

const FROM_HOUR = 8;
const TO_HOUR = 20;

/** Not on Sundays and national holidays. */
export const isReminderDay = (day: Day): boolean =>
  weekday(day) !== 0 && !holidayNumbers(yearOf(day)).has(dayNumber(day));

/** Whether people may be reminded of something now: from 8 to 20 h in São Paulo, on a day on which that is done. */
export function isReminderHour(now: Date): boolean {
  const day = saoPauloDay(now.getTime());
  const hour = (now.getTime() - startOfDay(day)) / HOUR_MS;
  return hour >= FROM_HOUR && hour < TO_HOUR && isReminderDay(day);
}

/** The next instant at which people may be reminded: now, if they may. */
export function nextReminderHour(now: Date): Date {
  if (isReminderHour(now)) return now;
  const today = saoPauloDay(now.getTime());
  const startOf = (day: Day) => startOfDay(day) + FROM_HOUR * HOUR_MS;
  let day = now.getTime() < startOf(today) ? today : addDays(today, 1);
  while (!isReminderDay(day)) day = addDays(day, 1);
  return new Date(startOf(day));
}
