import { addDays, type Day, saoPauloDay } from '#core/values/day.ts';
import { buildICalendar } from '#core/values/ical.ts';
import { formatReais } from '#core/values/money.ts';
import { listDueInstallments } from '#credit';
import { type Contacts, findCalendarOwner } from '#messages';
import type { Deps } from '#module';
import type { Db } from '#platform/database/db.ts';

export type CalendarDeps = Pick<Deps, 'db' | 'clock' | 'publicUrl'> & { contacts: Contacts };

/** A purchase has at most 52 weekly installments, and extensions may move each of them. */
const MAX_DAYS_AHEAD = 800;

export const listUpcomingInstallments = (db: Db, customerId: string, today: Day) =>
  listDueInstallments(db, customerId, addDays(today, MAX_DAYS_AHEAD));

/**
 * Renders the calendar at a secret URL as iCalendar: merchant, number and outstanding amount of each unpaid installment. Returns undefined
 * if there is no such calendar, or its owner is locked or erased.
 */
export async function renderCalendarFeed({ db, clock, contacts }: CalendarDeps, secret: string) {
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
