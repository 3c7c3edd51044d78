import { addDays, type Day, day } from '#core/values/day.ts';
import type { STATUSES } from '../schemas.ts';
import type { StatusRange } from './reading-store.ts';

const MAX_DAY = day('9999-12-31');

/** A status is a range of the day after which a purchase is late: before today, from today on, or never. */
export function toStatusRange(status: (typeof STATUSES)[number] | undefined, today: Day): StatusRange {
  switch (status) {
    case 'overdue':
      return { from: '-infinity', to: addDays(today, -1) };
    case 'open':
      return { from: today, to: MAX_DAY };
    case 'paid':
      return { from: 'infinity', to: 'infinity' };
    default:
      return { from: '-infinity', to: 'infinity' };
  }
}
