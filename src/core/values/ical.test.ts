import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { day } from './day.ts';
import { buildICalendar } from './ical.ts';

const now = new Date('2026-11-17T12:34:56.789Z');
const buildCalendar = (summary: string) =>
  buildICalendar({ name: 'Semana', now, events: [{ uid: 'ins_1@semana', day: day('2026-12-31'), summary }] });

test('an all-day event has the properties that RFC 5545 requires', () => {
  const lines = buildCalendar('R$ 51,10; Padaria \\ Flor\nx').split('\r\n');
  assert.deepEqual(lines.slice(0, 3), ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Semana//Parcelas//PT']);
  assert.deepEqual(lines.slice(-9), [
    'UID:ins_1@semana',
    'DTSTAMP:20261117T123456Z',
    'DTSTART;VALUE=DATE:20261231',
    'DTEND;VALUE=DATE:20270101',
    'SUMMARY:R$ 51\\,10\\; Padaria \\\\ Flor\\nx',
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ]);
});

test('for any merchant name no line exceeds 75 octets, no character is split, and the text is preserved', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (name) => {
      const text = buildCalendar(name);
      for (const line of text.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75 && line.isWellFormed());
      assert.ok(!/[^\r]\n|\r[^\n]/.test(text));
      const unfoldedText = text.replaceAll('\r\n ', '');
      const [, escapedSummary = ''] = /^SUMMARY:(.*)\r$/m.exec(unfoldedText)!;
      const unescapedSummary = escapedSummary.replaceAll(/\\(.)/gu, (_, letter: string) =>
        letter === 'n' ? '\n' : letter,
      );
      const expectedSummary = name
        .replaceAll(/\r\n|[\r\n\u2028\u2029]/g, '\n')
        .replaceAll(/(?!\n)\p{Cc}/gu, '');
      assert.equal(unescapedSummary, expectedSummary);
    }),
    { numRuns: 200 },
  );
});
