import { addDays, type Day } from './day.ts';

/** An all-day calendar event. `uid` must stay the same when the day or the summary changes. */
type CalendarEvent = { readonly uid: string; readonly day: Day; readonly summary: string };

const MAX_LINE_OCTETS = 75;
const encoder = new TextEncoder();

/** Escapes a text (RFC 5545, 3.3.11) and removes control characters. */
const escapeText = (text: string): string =>
  text
    .replaceAll(/[\\;,]/g, (character) => `\\${character}`)
    .replaceAll(/\r\n|[\r\n\u2028\u2029]/g, '\\n')
    .replaceAll(/[\p{Cc}]/gu, '');

/** Folds a line (RFC 5545, 3.1): at most 75 octets, continued after a line break and a blank. Characters are not split. */
function foldLine(line: string): string {
  const lines: string[] = [];
  let [currentLine, octetCount] = ['', 0];
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (octetCount + size > MAX_LINE_OCTETS) {
      lines.push(currentLine);
      [currentLine, octetCount] = [' ', 1];
    }
    currentLine += character;
    octetCount += size;
  }
  return [...lines, currentLine].join('\r\n');
}

const formatDate = (day: Day) => day.replaceAll('-', '');
const formatTimestamp = (time: Date) => time.toISOString().replaceAll(/[-:]|\.\d+/g, '');

export function buildICalendar({
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
    `X-WR-CALNAME:${escapeText(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT12H',
    'X-PUBLISHED-TTL:PT12H',
    ...events.flatMap(({ uid, day, summary }) => [
      'BEGIN:VEVENT',
      `UID:${escapeText(uid)}`,
      `DTSTAMP:${formatTimestamp(now)}`,
      `DTSTART;VALUE=DATE:${formatDate(day)}`,
      `DTEND;VALUE=DATE:${formatDate(addDays(day, 1))}`,
      `SUMMARY:${escapeText(summary)}`,
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join('');
}
