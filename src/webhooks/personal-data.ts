import { eventTables, PERSONAL_FIELDS, selectEventIds } from '#events';
import { sql } from '#platform/database/db.ts';
import type { PersonalData } from '#platform/privacy/personal-data.ts';
import { definePersonalTables } from '#platform/privacy/personal-tables.ts';

/** The events of partners are copies. Partners themselves must erase what they have received. */
export const webhooksPersonalData: PersonalData = {
  tables: definePersonalTables({
    ...eventTables,
    partner_events: {
      where: ({ id }) => sql`id in ${selectEventIds(id)}`,
      orderBy: 'partner_id, position',
      async eraseRelated(tx, rows) {
        const ids = rows.map(({ id }) => id);
        await tx.run(sql`
          update partner_events set data = data - ${PERSONAL_FIELDS}::text[]
          where id = any(${ids}) and data ?| ${PERSONAL_FIELDS}`);
      },
    },
  }),
};
