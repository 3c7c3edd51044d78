import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  addBusinessDays,
  computeEffectiveDueDay,
  findEaster,
  isBusinessDay,
  listHolidays,
} from './calendar.ts';
import { addDays, type Day, day, dayFromNumber, weekday } from './day.ts';

const findEasterDay = (year: number) => dayFromNumber(findEaster(year));
const listBankHolidays = (year: number) => [...listHolidays(year)].sort((a, b) => a - b).map(dayFromNumber);
const anyDay = fc.integer({ min: -25_567, max: 84_000 }).map(dayFromNumber); // 1900 to 2199

test('Carnaval, Good Friday, Easter and Corpus Christi fall on the published days of 2026 to 2030', () => {
  for (const [year, carnavalMonday, carnavalTuesday, goodFriday, easter, corpusChristi] of [
    [2026, '02-16', '02-17', '04-03', '04-05', '06-04'],
    [2027, '02-08', '02-09', '03-26', '03-28', '05-27'],
    [2028, '02-28', '02-29', '04-14', '04-16', '06-15'],
    [2029, '02-12', '02-13', '03-30', '04-01', '05-31'],
    [2030, '03-04', '03-05', '04-19', '04-21', '06-20'],
  ] as const) {
    assert.equal(findEasterDay(year), `${year}-${easter}`);
    for (const date of [carnavalMonday, carnavalTuesday, goodFriday, corpusChristi])
      assert.ok(listBankHolidays(year).includes(day(`${year}-${date}`)));
  }
});

test('Easter is right on its earliest and latest dates and in century years', () => {
  for (const date of [
    '1818-03-22',
    '1943-04-25',
    '2000-04-23',
    '2008-03-23',
    '2038-04-25',
    '2100-03-28',
    '2285-03-22',
  ]) {
    assert.equal(findEasterDay(Number(date.slice(0, 4))), date);
  }
});

test('2026 has the thirteen bank holidays of the official list', () => {
  const dates = '01-01 02-16 02-17 04-03 04-21 05-01 06-04 09-07 10-12 11-02 11-15 11-20 12-25'.split(' ');
  assert.deepEqual(
    listBankHolidays(2026),
    dates.map((date) => `2026-${date}`),
  );
});

test('20 November is a holiday since 2024', () => {
  assert.ok(isBusinessDay(day('2023-11-20'))); // a Monday
  assert.ok(!isBusinessDay(day('2024-11-20')));
});

test('Ash Wednesday and the last day of the year are business days', () => {
  assert.ok(isBusinessDay(day('2026-02-18')));
  assert.ok(isBusinessDay(day('2026-12-31')));
});

test('a due day moves over weekends and holidays to the next business day', () => {
  for (const [dueOn, expectedDay] of [
    ['2026-02-14', '2026-02-18'], // Saturday, Sunday, Carnaval Monday and Tuesday
    ['2026-02-13', '2026-02-13'],
    ['2026-04-03', '2026-04-06'], // Good Friday
    ['2027-12-31', '2027-12-31'],
    ['2028-01-01', '2028-01-03'], // across the year: 1 January is a Saturday
    ['2023-12-31', '2024-01-02'], // Sunday, and Monday 1 January
    ['2022-12-31', '2023-01-02'], // Saturday, and Sunday 1 January
  ] as const) {
    assert.equal(computeEffectiveDueDay(day(dueOn)), expectedDay);
  }
});

test('an effective due day is the first business day from the due day on, within a week', () => {
  fc.assert(
    fc.property(anyDay, (dueOn) => {
      const effectiveDay = computeEffectiveDueDay(dueOn);
      assert.ok(isBusinessDay(effectiveDay) && effectiveDay >= dueOn && effectiveDay <= addDays(dueOn, 6));
      for (let skippedDay: Day = dueOn; skippedDay < effectiveDay; skippedDay = addDays(skippedDay, 1))
        assert.ok(!isBusinessDay(skippedDay));
    }),
  );
});

test('a business day is neither on a weekend nor a holiday of its year', () => {
  fc.assert(
    fc.property(anyDay, (day) => {
      const isWeekend = weekday(day) === 0 || weekday(day) === 6;
      const isHoliday = listBankHolidays(Number(day.slice(0, 4))).includes(day);
      assert.equal(isBusinessDay(day), !isWeekend && !isHoliday);
    }),
  );
});

test('every year has thirteen holidays, twelve before 2024, one less if two coincide', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1900, max: 2199 }), (year) => {
      const holidays = listBankHolidays(year);
      const holidayCount = year < 2024 ? 12 : 13;
      // Only Good Friday can meet a fixed holiday: Tiradentes, 21 April.
      const coincidenceCount = findEasterDay(year) === `${year}-04-23` ? 1 : 0;
      assert.equal(holidays.length, holidayCount - coincidenceCount);
      assert.equal(weekday(findEasterDay(year)), 0);
    }),
  );
});

test('adding business days skips weekends and holidays, also across the end of a year', () => {
  const cases: Array<[string, number, string]> = [
    ['2026-11-16', 0, '2026-11-16'],
    ['2026-11-14', 0, '2026-11-16'], // a Saturday; the Sunday is also a holiday
    ['2026-11-16', 2, '2026-11-18'],
    ['2026-11-14', 1, '2026-11-16'],
    ['2026-11-13', 1, '2026-11-16'],
    ['2026-11-19', 1, '2026-11-23'], // Consciência Negra on a Friday, and a weekend
    ['2026-12-30', 2, '2027-01-04'], // New Year and a weekend
    ['2027-02-05', 1, '2027-02-10'], // Carnaval
  ];
  for (const [start, days, expected] of cases)
    assert.equal(addBusinessDays(day(start), days), expected, `${days} after ${start}`);
});
