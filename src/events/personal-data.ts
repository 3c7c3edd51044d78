import { type Queryable, sql } from '#platform/database/db.ts';
import { type PersonalData, rowsOf } from '#platform/privacy/personal-data.ts';

/** Personal fields that may not stay in an event. Events name people by ids; anything else is removed. */
export const PERSONAL_FIELDS = ['name', 'phone', 'email', 'cpf'];

export const eventTables: NonNullable<PersonalData['tables']> = {
  events: {
    ...rowsOf(({ id }) => sql`select * from events where customer_id = ${id} order by position`),
    erase: (tx, { id }) =>
      tx.run(sql`
        update events set data = data - ${PERSONAL_FIELDS}::text[]
        where customer_id = ${id} and data ?| ${PERSONAL_FIELDS}`),
  },
  event_sequences: rowsOf(({ id }) => sql`select * from event_sequences where customer_id = ${id}`),
  event_outbox: rowsOf(({ id }) => sql`select * from event_outbox where customer_id = ${id}`),
};

export async function listEventIds(db: Queryable, customerId: string): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`select id from events where customer_id = ${customerId}`);
  return rows.map(({ id }) => id);
}
