import { addDays, type Day, daysBetween } from '#core/day.ts';

/** A reminder that could not go out on its day goes out up to so many days later: Sundays, holidays, an outage. */
const GRACE_DAYS = 3;

type DueDates = { readonly due_on: Day; readonly effective_due_on: Day };

/**
 * Which step an installment is at on a day: the latest that has come, unless that was too long ago. Before and on the due day steps
 * count from it; after it from the effective due day, as lateness does.
 */
export function stepOn(steps: readonly number[], { due_on, effective_due_on }: DueDates, today: Day) {
  const late = daysBetween(effective_due_on, today);
  const days = late > 0 ? late : Math.min(0, daysBetween(due_on, today));
  // A due day that has moved to the next business day is still the due day.
  const since = late > 0 ? days : daysBetween(due_on, today);
  const step = steps.findLast((one) => one <= days);
  return step !== undefined && since - step <= GRACE_DAYS ? step : null;
}

/** The due days whose installments are at a step today; each column has an index. */
export function dueDays(
  steps: readonly number[],
  today: Day,
): Array<{ due_on: Day } | { effective_due_on: Day }> {
  const days = (of: readonly number[]) => [
    ...new Set(
      of.flatMap((step) => Array.from({ length: GRACE_DAYS + 1 }, (_, i) => addDays(today, -step - i))),
    ),
  ];
  return [
    ...days(steps.filter((step) => step <= 0)).map((due_on) => ({ due_on })),
    ...days(steps.filter((step) => step > 0)).map((effective_due_on) => ({ effective_due_on })),
  ];
}
