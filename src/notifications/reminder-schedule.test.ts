import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computeEffectiveDueDay } from '#core/values/calendar.ts';
import { addDays, type Day, day } from '#core/values/day.ts';
import { findStep, isReminderDay, isReminderHour, listDueDays } from './reminder-schedule.ts';

const STEPS = [-1, 0, 1, 3, 7, 15];
const buildDueDays = (due_on: Day) => ({ due_on, effective_due_on: computeEffectiveDueDay(due_on) });

test('a step applies on its day and up to three days later, unless the next step is reached', () => {
  const wednesday = buildDueDays(day('2026-12-02'));
  const findStepAfter = (days: number) => findStep(STEPS, wednesday, addDays(wednesday.due_on, days));
  const expectedSteps: Record<number, number | null> = {
    [-2]: null,
    [-1]: -1,
    0: 0,
    1: 1,
    2: 1,
    3: 3,
    6: 3,
    7: 7,
  };
  for (const [days, step] of Object.entries(expectedSteps))
    assert.equal(findStepAfter(Number(days)), step, days);
  // A step applies for four days: step 7 up to day 10, step 15 up to day 18.
  assert.deepEqual([10, 11, 14, 15, 18, 19].map(findStepAfter), [7, null, null, 15, 15, null]);
});

test('lateness counts from the effective due day: an installment due on a Saturday is one day late on Tuesday', () => {
  const saturday = buildDueDays(day('2026-12-05'));
  const findStepOn = (date: string) => findStep(STEPS, saturday, day(date));
  assert.deepEqual(
    ['2026-12-04', '2026-12-05', '2026-12-06', '2026-12-07', '2026-12-08'].map(findStepOn),
    [-1, 0, 0, 0, 1],
  );
});

test('every installment at a step has one of the listed due days', () => {
  const today = day('2026-12-09');
  const dueDays = listDueDays(STEPS, today);
  for (let days = -20; days <= 5; days++) {
    const installment = buildDueDays(addDays(today, days));
    const isListed = dueDays.some((dueDay) =>
      'due_on' in dueDay
        ? dueDay.due_on === installment.due_on
        : dueDay.effective_due_on === installment.effective_due_on,
    );
    if (findStep(STEPS, installment, today) !== null) assert.ok(isListed, installment.due_on);
  }
});

test('reminders are allowed from 8 to 20 h in São Paulo, not on Sundays and national holidays', () => {
  const isAllowed = (instant: string) => isReminderHour(new Date(instant));
  assert.deepEqual(
    ['2026-12-02T10:59:59Z', '2026-12-02T11:00:00Z', '2026-12-02T22:59:59Z', '2026-12-02T23:00:00Z'].map(
      isAllowed,
    ),
    [false, true, true, false],
  );
  // A Saturday, a Sunday and two holidays.
  assert.deepEqual(
    ['2026-12-05', '2026-12-06', '2026-12-25', '2026-11-20'].map((date) => isReminderDay(day(date))),
    [true, false, false, false],
  );
});
