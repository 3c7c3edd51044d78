import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectiveDueDay } from '#core/calendar.ts';
import { addDays, type Day, day } from '#core/day.ts';
import { isReminderDay, isReminderHour } from './quiet-hours.ts';
import { dueDays, stepOn } from './steps.ts';

const STEPS = [-1, 0, 1, 3, 7, 15];
const due = (due_on: Day) => ({ due_on, effective_due_on: effectiveDueDay(due_on) });

test('each step on its day; one that was missed up to three days later, unless the next has come', () => {
  const wednesday = due(day('2026-12-02'));
  const at = (days: number) => stepOn(STEPS, wednesday, addDays(wednesday.due_on, days));
  const expected: Record<number, number | null> = {
    [-2]: null,
    [-1]: -1,
    0: 0,
    1: 1,
    2: 1,
    3: 3,
    6: 3,
    7: 7,
  };
  for (const [days, step] of Object.entries(expected)) assert.equal(at(Number(days)), step, days);
  assert.deepEqual([10, 11, 14, 15, 18, 19].map(at), [7, null, null, 15, 15, null]);
});

test('lateness counts from the effective due day: due on a Saturday, one day late on Tuesday', () => {
  const saturday = due(day('2026-12-05'));
  const at = (on: string) => stepOn(STEPS, saturday, day(on));
  assert.deepEqual(
    ['2026-12-04', '2026-12-05', '2026-12-06', '2026-12-07', '2026-12-08'].map(at),
    [-1, 0, 0, 0, 1],
  );
});

test('whatever is at a step is found by its due days', () => {
  const today = day('2026-12-09');
  const found = dueDays(STEPS, today);
  for (let days = -20; days <= 5; days++) {
    const one = due(addDays(today, days));
    const isFound = found.some((by) =>
      'due_on' in by ? by.due_on === one.due_on : by.effective_due_on === one.effective_due_on,
    );
    if (stepOn(STEPS, one, today) !== null) assert.ok(isFound, one.due_on);
  }
});

test('from 8 to 20 h in São Paulo, not on Sundays and national holidays', () => {
  const at = (instant: string) => isReminderHour(new Date(instant));
  assert.deepEqual(
    ['2026-12-02T10:59:59Z', '2026-12-02T11:00:00Z', '2026-12-02T22:59:59Z', '2026-12-02T23:00:00Z'].map(at),
    [false, true, true, false],
  );
  assert.deepEqual(
    ['2026-12-05', '2026-12-06', '2026-12-25', '2026-11-20'].map((one) => isReminderDay(day(one))),
    [true, false, false, false],
  );
});
