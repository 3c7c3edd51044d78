import { holidayNumbers } from '#core/values/calendar.ts';
import { addDays, type Day, dayNumber, saoPauloDay, startOfDay, weekday, yearOf } from '#core/values/day.ts';
import { HOUR_MS } from '#core/values/duration.ts';

const FIRST_HOUR = 8;
const END_HOUR = 20;

/** Whether the day is neither a Sunday nor a national holiday. */
export const isReminderDay = (day: Day): boolean =>
  weekday(day) !== 0 && !holidayNumbers(yearOf(day)).has(dayNumber(day));

/** Whether reminders may be sent now: from 8 to 20 h in São Paulo, on a reminder day. */
export function isReminderHour(now: Date): boolean {
  const day = saoPauloDay(now.getTime());
  const hour = (now.getTime() - startOfDay(day)) / HOUR_MS;
  return hour >= FIRST_HOUR && hour < END_HOUR && isReminderDay(day);
}

/** Returns the next time at which reminders may be sent, which may be now. */
export function nextReminderHour(now: Date): Date {
  if (isReminderHour(now)) return now;
  const today = saoPauloDay(now.getTime());
  const firstHourOf = (day: Day) => startOfDay(day) + FIRST_HOUR * HOUR_MS;
  let day = now.getTime() < firstHourOf(today) ? today : addDays(today, 1);
  while (!isReminderDay(day)) day = addDays(day, 1);
  return new Date(firstHourOf(day));
}
