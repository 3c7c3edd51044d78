import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ageOn, parseBirthDate } from './age.ts';
import { day } from './day.ts';

test('a person is a year older on the birthday, not the day before', () => {
  const birthDate = day('2008-11-15');
  assert.equal(ageOn(day('2026-11-14'), birthDate), 17);
  assert.equal(ageOn(day('2026-11-15'), birthDate), 18);
  assert.equal(ageOn(day('2027-01-01'), birthDate), 18);
});

test('a person born on 29 February is a year older on 1 March in common years', () => {
  const birthDate = day('2008-02-29');
  assert.equal(ageOn(day('2026-02-28'), birthDate), 17);
  assert.equal(ageOn(day('2026-03-01'), birthDate), 18);
  assert.equal(ageOn(day('2028-02-29'), birthDate), 20);
});

test('a birth date is an existing day of a person who may be alive', () => {
  assert.equal(parseBirthDate('1990-05-31'), '1990-05-31');
  for (const text of ['1899-12-31', '2100-01-01', '2001-02-29', '1990-5-1', '31/05/1990', '', 19900531, null])
    assert.equal(parseBirthDate(text), null, String(text));
});
