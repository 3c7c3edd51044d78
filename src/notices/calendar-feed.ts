import { Type } from 'typebox';
import { HOUR_MS, MINUTE_MS } from '#core/duration.ts';
import { countAttempts, type Limit } from '#platform/http/attempt-limits.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { type Calendars, readFeed } from './calendar.ts';
import { calendarTooOften } from './problems.ts';

/** Calendars read every few hours. */
const READS: Limit = { kind: 'calendar reads', most: 30, windowMs: HOUR_MS };
/** Calendar services read for many people from few addresses, so the rate limit by address counts only misses. */
const MISSES: Limit = { kind: 'calendar misses', most: 30, windowMs: MINUTE_MS };

export const calendarFeed = (calendars: Calendars) =>
  endpoint('GET /calendar/:secret.ics', {
    access: 'open',
    id: 'readCalendarFeed',
    undocumented: true,
    summary: 'What falls due, for a calendar',
    params: Type.Object({ secret: Type.String({ pattern: '^[0-9A-Za-z]{32}$' }) }),
    notFound: { en: 'There is no calendar here.', pt: 'Não há calendário aqui.' },
    answers: { 200: { description: 'The calendar.', contentType: 'text/calendar; charset=utf-8' } },
    problems: [calendarTooOften],
    async handler(request, reply) {
      const { db, clock } = calendars;
      const { secret } = request.params;
      const written = await readFeed(calendars, secret);
      const [limit, counted] = written === undefined ? [MISSES, request.ip] : [READS, secret];
      const subject = db.vault.hash('calendar', counted);
      await countAttempts(db, [{ limit, subject, refusal: calendarTooOften }], clock.now());
      if (written === undefined) throw request.notFound();
      return reply
        .header('cache-control', 'private, max-age=3600')
        .header('content-disposition', 'inline; filename="semana.ics"')
        .type('text/calendar; charset=utf-8')
        .send(written);
    },
  });
