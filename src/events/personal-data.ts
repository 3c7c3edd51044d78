import { sql } from '#platform/database/db.ts';
import { getMask } from '#platform/http/masking.ts';
import type { PersonalTableRule } from '#platform/privacy/personal-tables.ts';
import { EVENT_CATALOG } from './catalog.ts';

/** The fields that an erasure removes from events: those that the catalog declares as `Personal`, and the metadata of offers. */
export const PERSONAL_FIELDS = [
  ...new Set(
    Object.values(EVENT_CATALOG).flatMap(({ properties }) =>
      Object.entries(properties).flatMap(([name, schema]) => (getMask(schema) ? [name] : [])),
    ),
  ),
  'metadata',
];

export const eventTables: Readonly<Record<string, PersonalTableRule>> = {
  events: {
    orderBy: 'position',
    eraseRelated: (tx, _rows, { id }) =>
      tx.run(sql`
        update events set data = data - ${PERSONAL_FIELDS}::text[]
        where customer_id = ${id} and data ?| ${PERSONAL_FIELDS}`),
  },
  // These tables are exported, but not erased.
  event_sequences: {},
  event_outbox: {},
};

/** SQL fragment: the ids of the events of a customer, in parentheses. */
export const selectEventIds = (customerId: string) =>
  sql`(select id from events where customer_id = ${customerId})`;
