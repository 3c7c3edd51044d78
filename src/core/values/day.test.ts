import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  addDays,
  day,
  dayFromNumber,
  dayNumber,
  daysBetween,
  endOfDay,
  laterDay,
  parseDay,
  saoPauloDay,
  startOfDay,
  weekday,
} from './day.ts';
import { DAY_MS } from './duration.ts';

const parseInstant = (iso: string) => Date.parse(iso);
const anyInstant = fc.date({
  min: new Date('1970-01-02Z'),
  max: new Date('2099-12-31Z'),
  noInvalidDate: true,
});

test('only existing days are accepted', () => {
  for (const text of ['2026-02-28', '2028-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])
    assert.equal(parseDay(text), text);
  for (const text of [
    '2026-02-29',
    '1900-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-04-31',
    '2026-1-1',
    '2026-01-01T00:00',
    '',
    5,
  ]) {
    assert.equal(parseDay(text), null, String(text));
  }
  assert.throws(() => day('2026-02-30'), RangeError);
  assert.throws(() => addDays(day('9999-12-31'), 1), RangeError);
});

test('day arithmetic agrees with the proleptic UTC calendar', () => {
  assert.equal(dayNumber(day('1970-01-01')), 0);
  fc.assert(
    fc.property(
      fc.integer({ min: -700_000, max: 2_900_000 }),
      fc.integer({ min: -5000, max: 5000 }),
      (number, days) => {
        const date = dayFromNumber(number);
        const utcDate = new Date(number * DAY_MS);
        assert.equal(date, utcDate.toISOString().slice(0, 10));
        assert.equal(dayNumber(date), number);
        assert.equal(weekday(date), utcDate.getUTCDay());
        assert.equal(daysBetween(date, addDays(date, days)), days);
        assert.equal(laterDay(date, addDays(date, days)), addDays(date, Math.max(0, days)));
      },
    ),
  );
});

test('the São Paulo day changes at 03:00 UTC', () => {
  assert.equal(saoPauloDay(parseInstant('2026-02-19T02:59:59.999Z')), '2026-02-18');
  assert.equal(saoPauloDay(parseInstant('2026-02-19T03:00:00Z')), '2026-02-19');
  assert.equal(startOfDay(day('2026-02-19')), parseInstant('2026-02-19T03:00:00Z'));
  assert.equal(endOfDay(day('2026-02-19')), parseInstant('2026-02-20T03:00:00Z'));
});

test('in former summer time the day changed at 02:00 UTC, and the first day of summer time started at 01:00', () => {
  assert.equal(saoPauloDay(parseInstant('2018-12-25T01:59:59Z')), '2018-12-24');
  assert.equal(saoPauloDay(parseInstant('2018-12-25T02:00:00Z')), '2018-12-25');
  assert.equal(startOfDay(day('2018-11-04')), parseInstant('2018-11-04T03:00:00Z'));
  assert.equal(endOfDay(day('2018-11-04')), parseInstant('2018-11-05T02:00:00Z'));
  assert.equal(endOfDay(day('2019-02-16')), parseInstant('2019-02-17T03:00:00Z')); // the last day of 25 hours, when summer time was abolished
});

test('the São Paulo day of any instant agrees with Intl', () => {
  const intl = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo', dateStyle: 'short' });
  fc.assert(
    fc.property(anyInstant, (date) => assert.equal(saoPauloDay(date.getTime()), intl.format(date))),
    { numRuns: 2000 },
  );
});

test('a day contains exactly the instants from its start to its end', () => {
  fc.assert(
    fc.property(anyInstant, (instant) => {
      const date = saoPauloDay(instant.getTime());
      assert.ok(startOfDay(date) <= instant.getTime() && instant.getTime() < endOfDay(date));
      assert.equal(saoPauloDay(startOfDay(date)), date);
      assert.equal(saoPauloDay(startOfDay(date) - 1), addDays(date, -1));
    }),
    { numRuns: 2000 },
  );
});
