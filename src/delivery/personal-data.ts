import { eventTables, listEventIds, PERSONAL_FIELDS } from '#events';
import { sql } from '#platform/database/db.ts';
import type { PersonalData } from '#platform/privacy/personal-data.ts';

/** A partner's events are copies. What partners have fetched or received is theirs to erase. */
export const deliveryData: PersonalData = {
  tables: {
    ...eventTables,
    partner_events: {
      async find(db, { id }) {
        const ids = await listEventIds(db, id);
        return db.rows(sql`
          ${PARTNERS}
          select e.* from partner p join partner_events e on e.partner_id = p.id and e.id = any(${ids})
          order by e.partner_id, e.position`);
      },
      async erase(tx, { id }) {
        const ids = await listEventIds(tx, id);
        await tx.run(sql`
          ${PARTNERS}
          update partner_events e set data = e.data - ${PERSONAL_FIELDS}::text[]
          from partner p
          where e.partner_id = p.id and e.id = any(${ids}) and e.data ?| ${PERSONAL_FIELDS}`);
      },
    },
  },
};

/** All partners with events, by one index lookup each: an event's id is unique only within a partner. */
const PARTNERS = sql`
  with recursive partner as (
    select min(partner_id) as id from partner_events
    union all
    select (select min(partner_id) from partner_events where partner_id > p.id) from partner p where p.id is not null)`;
