import { addDays, type Day } from './day.ts';

/** A day of a calendar with something on it. `uid` stays the same when the rest changes. */
export type CalendarEvent = { readonly uid: string; readonly day: Day; readonly summary: string };

const MOST_OCTETS = 75;
const encoder = new TextEncoder();

/** RFC 5545, 3.3.11. Control characters have no place in a text. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[\\;,]/g, (one) => `\\${one}`)
    .replaceAll(/\r\n|[\r\n\u2028\u2029]/g, '\\n')
    .replaceAll(/[\p{Cc}]/gu, '');

/** RFC 5545, 3.1: a line has at most 75 octets; it goes on after a line break and a blank. No character is split. */
function folded(line: string): string {
  const lines: string[] = [];
  let [current, octets] = ['', 0];
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (octets + size > MOST_OCTETS) {
      lines.push(current);
      [current, octets] = [' ', 1];
    }
    current += character;
    octets += size;
  }
  return [...lines, current].join('\r\n');
}

const dateOf = (day: Day) => day.replaceAll('-', '');
const stampOf = (at: Date) => at.toISOString().replaceAll(/[-:]|\.\d+/g, '');

/** A calendar of whole days, as iCalendar (RFC 5545). */
export function icalendarOf({
  name,
  now,
  events,
}: {
  name: string;
  now: Date;
  events: readonly CalendarEvent[];
}): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Semana//Parcelas//PT',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escaped(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT12H',
    'X-PUBLISHED-TTL:PT12H',
    ...events.flatMap(({ uid, day, summary }) => [
      'BEGIN:VEVENT',
      `UID:${escaped(uid)}`,
      `DTSTAMP:${stampOf(now)}`,
      `DTSTART;VALUE=DATE:${dateOf(day)}`,
      `DTEND;VALUE=DATE:${dateOf(addDays(day, 1))}`,
      `SUMMARY:${escaped(summary)}`,
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}
