import { Type } from 'typebox';
import { HOUR_MS, MINUTE_MS } from '#core/values/duration.ts';
import { type AttemptLimit, recordAttempts } from '#platform/http/attempt-limits.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { type CalendarDeps, renderCalendarFeed } from './calendar.ts';
import { calendarRateLimited } from './problems.ts';

/** Calendar apps read every few hours. */
const READ_LIMIT: AttemptLimit = { kind: 'calendar reads', maxAttempts: 30, windowMs: HOUR_MS };
/** Calendar services read for many people from few IP addresses, so the limit by IP address counts only unknown secrets. */
const MISS_LIMIT: AttemptLimit = { kind: 'calendar misses', maxAttempts: 30, windowMs: MINUTE_MS };

export const calendarFeedEndpoint = (deps: CalendarDeps) =>
  endpoint('GET /calendar/:secret.ics', {
    access: 'open',
    id: 'readCalendarFeed',
    undocumented: true,
    summary: 'Get the calendar feed',
    params: Type.Object({ secret: Type.String({ pattern: '^[0-9A-Za-z]{32}$' }) }),
    notFound: { en: 'There is no calendar at this URL.', pt: 'Não há calendário aqui.' },
    responses: { 200: { description: 'The calendar.', contentType: 'text/calendar; charset=utf-8' } },
    problems: [calendarRateLimited],
    async handler(request, reply) {
      const { db, clock } = deps;
      const { secret } = request.params;
      const calendar = await renderCalendarFeed(deps, secret);
      const [limit, limitedBy] = calendar === undefined ? [MISS_LIMIT, request.ip] : [READ_LIMIT, secret];
      const subject = db.vault.hash('calendar', limitedBy);
      await recordAttempts(db, [{ limit, subject, toProblem: calendarRateLimited }], clock.now());
      if (calendar === undefined) throw request.notFound();
      return reply
        .header('cache-control', 'private, max-age=3600')
        .header('content-disposition', 'inline; filename="semana.ics"')
        .type('text/calendar; charset=utf-8')
        .send(calendar);
    },
  });
