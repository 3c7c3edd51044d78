import { Type } from 'typebox';
import { addDays, type Day, saoPauloDay } from '#core/values/day.ts';
import { HOUR_MS, MINUTE_MS } from '#core/values/duration.ts';
import { buildICalendar } from '#core/values/ical.ts';
import { formatReais } from '#core/values/money.ts';
import { listDueInstallments } from '#credit';
import { type Contacts, findCalendarOwner } from '#messages';
import type { Deps } from '#module';
import type { Db } from '#platform/database/db.ts';
import { type AttemptLimit, enforceLimits } from '#platform/http/attempt-limits.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { defineProblem } from '#platform/problem.ts';

const calendarRateLimited = defineProblem({
  code: 'calendar_too_often',
  status: 429,
  title: { en: 'The calendar is read too often', pt: 'O calendário é lido com frequência demais' },
  cause: 'A calendar may be read 30 times per hour, and an IP address may read 30 unknown URLs per minute.',
  remedy: 'Retry after the seconds in `Retry-After`, and read the calendar only every few hours.',
  detail: (seconds: string) => ({
    en: `Retry in ${seconds} seconds.`,
    pt: `Espere ${seconds} segundos.`,
    headers: { 'retry-after': seconds },
  }),
});

export type CalendarDeps = Pick<Deps, 'db' | 'clock' | 'publicUrl'> & { contacts: Contacts };

/** Covers a purchase with 52 weekly installments, the maximum, each of which may be extended. */
const MAX_DAYS_AHEAD = 800;

export const listUpcomingInstallments = (db: Db, customerId: string, today: Day) =>
  listDueInstallments(db, customerId, addDays(today, MAX_DAYS_AHEAD));

/**
 * Renders the calendar at a secret URL as iCalendar: merchant, number and outstanding amount of each unpaid installment. Returns undefined
 * if there is no such calendar, or its owner is locked or erased.
 */
async function renderCalendarFeed({ db, clock, contacts }: CalendarDeps, secret: string) {
  const customerId = await findCalendarOwner(db, secret);
  const owner = customerId === undefined ? undefined : await contacts.find(db, customerId);
  if (!owner || owner.isErased || owner.isLocked) return undefined;
  const now = clock.now();
  const installments = await listUpcomingInstallments(db, owner.customerId, saoPauloDay(now.getTime()));
  const events = installments.map(
    ({ id, due_on, merchant_name, number, installments_total, outstanding_cents }) => ({
      uid: `${id}@semana`,
      day: due_on,
      summary: `${formatReais(outstanding_cents)} · ${merchant_name} ${number}/${installments_total}`,
    }),
  );
  return buildICalendar({ name: 'Semana: parcelas', now, events });
}

const READ_LIMIT: AttemptLimit = { kind: 'calendar reads', maxAttempts: 30, windowMs: HOUR_MS };
/** Calendar services read the feeds of many people from few IP addresses, so only unknown secrets are limited by IP address. */
const UNKNOWN_SECRET_LIMIT: AttemptLimit = { kind: 'calendar misses', maxAttempts: 30, windowMs: MINUTE_MS };

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
      const limit = calendar === undefined ? UNKNOWN_SECRET_LIMIT : READ_LIMIT;
      const subject = db.vault.hash('calendar', calendar === undefined ? request.ip : secret);
      await enforceLimits(db, [{ limit, subject, toProblem: calendarRateLimited }], clock.now());
      if (calendar === undefined) throw request.notFound();
      return reply
        .header('cache-control', 'private, max-age=3600')
        .header('content-disposition', 'inline; filename="semana.ics"')
        .type('text/calendar; charset=utf-8')
        .send(calendar);
    },
  });
