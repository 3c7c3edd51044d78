import { eventList } from '#events';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/database/db.ts';
import { listEndpoint } from '#platform/http/list.ts';
import { renderStaffEvents, StaffEvent } from '../schemas.ts';

export const getAdminEvents = (deps: { db: Db; clock: Clock }) =>
  listEndpoint('GET /admin/events', deps, eventList, {
    id: 'searchEvents',
    summary: 'Search events',
    description: 'Events of the last 90 days, by type, customer, purchase and time.',
    cli: {
      columns: {
        WHEN: 'occurred_at',
        TYPE: 'type',
        CUSTOMER: 'customer_id',
        PURCHASE: 'checkout_hash',
        DATA: 'data',
      },
    },
    page: 'A page of events.',
    item: StaffEvent,
    render: (rows) => renderStaffEvents(deps.db, rows),
  });
