import { listHolidays } from '#core/values/calendar.ts';
import {
  addDays,
  type Day,
  dayNumber,
  daysBetween,
  saoPauloDay,
  startOfDay,
  weekday,
  yearOf,
} from '#core/values/day.ts';
import { HOUR_MS } from '#core/values/duration.ts';

const SUNDAY = 0;
const FIRST_HOUR = 8;
const END_HOUR = 20;

export const isReminderDay = (day: Day): boolean =>
  weekday(day) !== SUNDAY && !listHolidays(yearOf(day)).has(dayNumber(day));

/** Whether reminders may be sent now: from 8 to 20 h in São Paulo, on a reminder day. */
export function isReminderHour(now: Date): boolean {
  const day = saoPauloDay(now.getTime());
  const hour = (now.getTime() - startOfDay(day)) / HOUR_MS;
  return hour >= FIRST_HOUR && hour < END_HOUR && isReminderDay(day);
}

/** Returns the next time at which reminders may be sent, which may be now. */
export function findNextReminderTime(now: Date): Date {
  if (isReminderHour(now)) return now;
  const today = saoPauloDay(now.getTime());
  const getFirstHourMs = (day: Day) => startOfDay(day) + FIRST_HOUR * HOUR_MS;
  let day = now.getTime() < getFirstHourMs(today) ? today : addDays(today, 1);
  while (!isReminderDay(day)) day = addDays(day, 1);
  return new Date(getFirstHourMs(day));
}

/** A reminder that could not be sent on its day (Sunday, holiday, outage) is sent up to this many days later. */
const GRACE_DAYS = 3;

type DueDates = { readonly due_on: Day; readonly effective_due_on: Day };

/**
 * Returns the reminder step of an installment on a day: the latest step that was reached, or null if that was too long ago. Steps up to 0
 * count from the due day; later steps count from the effective due day, like lateness.
 */
export function findStep(steps: readonly number[], { due_on, effective_due_on }: DueDates, today: Day) {
  const daysLate = daysBetween(effective_due_on, today);
  const isLate = daysLate > 0;
  const daysSinceDue = isLate ? daysLate : daysBetween(due_on, today);
  // Between the due day and the effective due day (the next business day) the step is still 0.
  const highestStep = isLate ? daysSinceDue : Math.min(0, daysSinceDue);
  const step = steps.findLast((candidate) => candidate <= highestStep);
  return step !== undefined && daysSinceDue - step <= GRACE_DAYS ? step : null;
}

/** Lists the due days of all installments that may be at a step today, each with the column that must equal it. */
export function listDueDays(steps: readonly number[], today: Day) {
  const listDays = (selectedSteps: readonly number[]) => [
    ...new Set(
      selectedSteps.flatMap((step) =>
        Array.from({ length: GRACE_DAYS + 1 }, (_, i) => addDays(today, -step - i)),
      ),
    ),
  ];
  return [
    ...listDays(steps.filter((step) => step <= 0)).map((due_on) => ({ due_on })),
    ...listDays(steps.filter((step) => step > 0)).map((effective_due_on) => ({ effective_due_on })),
  ];
}
