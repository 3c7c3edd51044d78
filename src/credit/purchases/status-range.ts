import { addDays, type Day, day } from '#core/day.ts';
import type { STATUSES } from '../schemas.ts';
import type { StatusRange } from './reading-store.ts';

const THE_LAST_DAY = day('9999-12-31');

/** A status is a range of the day on which a checkout becomes late: before today, from today on, or never. */
export function rangeOf(status: (typeof STATUSES)[number] | undefined, today: Day): StatusRange {
  switch (status) {
    case 'overdue':
      return { from: '-infinity', to: addDays(today, -1) };
    case 'open':
      return { from: today, to: THE_LAST_DAY };
    case 'paid':
      return { from: 'infinity', to: 'infinity' };
    default:
      return { from: '-infinity', to: 'infinity' };
  }
}
