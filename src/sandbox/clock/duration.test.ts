import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS } from '#core/values/duration.ts';
import { parseDuration } from './sandbox-clock.ts';

test('weeks, days, hours, minutes and seconds are parsed', () => {
  assert.equal(parseDuration('P7D'), 168 * HOUR_MS);
  assert.equal(parseDuration('P1W'), 168 * HOUR_MS);
  assert.equal(parseDuration('P1W2D'), 9 * 24 * HOUR_MS);
  assert.equal(parseDuration('PT12H'), 12 * HOUR_MS);
  assert.equal(parseDuration('P1DT6H30M15S'), 30.5 * HOUR_MS + 15_000);
  assert.equal(parseDuration('-P3D'), -72 * HOUR_MS);
  assert.equal(parseDuration('PT0S'), 0);
});

test('invalid text, months and years are refused', () => {
  for (const text of [
    '',
    'P',
    'PT',
    'P1DT',
    '7D',
    'P7',
    'p7d',
    'P1M',
    'P1Y',
    'PT1.5H',
    'P-7D',
    ' P7D',
    'P7D ',
    '--P1D',
    'P1D2W',
    'P1234567D',
    'PT1H1H',
  ])
    assert.equal(parseDuration(text), null, text);
});
