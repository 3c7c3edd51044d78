import { addDays, type Day, saoPauloDay } from '#core/day.ts';
import { icalendarOf } from '#core/ical.ts';
import { spokenReais } from '#core/money.ts';
import { listDue } from '#credit';
import { type Contacts, findCalendarOwner } from '#messages';
import type { Deps } from '#module';
import type { Db } from '#platform/database/db.ts';

export type Calendars = Pick<Deps, 'db' | 'clock' | 'publicUrl'> & { contacts: Contacts };

/** A purchase has at most 52 weeks, and an extension may move each. */
const DAYS_AHEAD = 800;

export const listAhead = (db: Db, customerId: string, today: Day) =>
  listDue(db, customerId, addDays(today, DAYS_AHEAD));

/**
 * The calendar at a secret address, as iCalendar: of each unpaid installment the merchant, the number and what is outstanding. Undefined:
 * there is none, or its owner is locked or erased.
 */
export async function readFeed({ db, clock, contacts }: Calendars, secret: string) {
  const customerId = await findCalendarOwner(db, secret);
  const owner = customerId === undefined ? undefined : await contacts.find(db, customerId);
  if (!owner || owner.isErased || owner.isLocked) return undefined;
  const now = clock.now();
  const due = await listAhead(db, owner.customerId, saoPauloDay(now.getTime()));
  const events = due.map(({ id, due_on, merchant_name, number, installments_total, outstanding_cents }) => ({
    uid: `${id}@semana`,
    day: due_on,
    summary: `${spokenReais(outstanding_cents)} · ${merchant_name} ${number}/${installments_total}`,
  }));
  return icalendarOf({ name: 'Semana: parcelas', now, events });
}
