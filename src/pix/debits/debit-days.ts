import { addDays, type Day, daysBetween, endOfDay, saoPauloDay, startOfDay } from '#core/day.ts';
import { HOUR_MS } from '#core/duration.ts';

/** The PSP must be sent a debit this many days before. */
export const LATEST_DAYS = 2;
/** The last retry the standard allows, and some hours until it is reported. */
const LIFE_DAYS = 8;
/** When the bank's two windows, 0 to 8 h and 18 to 21 h, are over. */
const CHECKS = [8.5, 21.5].map((hours) => hours * HOUR_MS);

/** Which week of the authorisation a day falls into. */
export const cycleOf = (startsOn: Day, dueOn: Day): number => Math.floor(daysBetween(startsOn, dueOn) / 7);

/** When to poll for the result of an attempt on that day, if no notice came. */
export function nextCheck(attemptOn: Day, now: Date): Date {
  const today = saoPauloDay(now.getTime());
  const first = attemptOn > today ? attemptOn : today;
  const hours = [first, addDays(first, 1)].flatMap((day) => CHECKS.map((ms) => startOfDay(day) + ms));
  return new Date(hours.find((at) => at > now.getTime())!);
}

/** When an authorisation is looked at in the morning. */
export const lookAt = (on: Day): Date => new Date(startOfDay(on) + CHECKS[0]!);

/** When a debit whose first attempt is on that day is over. */
export const debitExpiry = (on: Day): Date => new Date(endOfDay(addDays(on, LIFE_DAYS)));

/**
 * The next day on which a refused debit is tried again: after today, and before the next week of the authorisation begins, which has its
 * own debit.
 */
export function nextRetry(
  first: Day,
  retryDays: readonly number[],
  { today, startsOn, cycle }: { today: Day; startsOn: Day; cycle: number },
): Day | null {
  const nextCycle = addDays(startsOn, 7 * (cycle + 1));
  return retryDays.map((days) => addDays(first, days)).find((on) => on > today && on < nextCycle) ?? null;
}
