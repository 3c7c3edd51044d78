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
          select * from partner_events where id = any(${ids}) order by partner_id, position`);
      },
      async erase(tx, { id }) {
        const ids = await listEventIds(tx, id);
        await tx.run(sql`
          update partner_events set data = data - ${PERSONAL_FIELDS}::text[]
          where id = any(${ids}) and data ?| ${PERSONAL_FIELDS}`);
      },
    },
  },
};
