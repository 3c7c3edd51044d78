import { type Queryable, type Sql, sql, type Tx } from '#platform/db.ts';
import { type PersonalData, rowsOf } from '#platform/personal-data.ts';

const PERSONAL_FIELDS = ['name', 'phone', 'email', 'cpf'];

/** Events tell by ids. What of a person's fields is in one nevertheless is taken out, where partners read it, too. */
export const eventsData: PersonalData = {
  tables: {
    events: {
      ...rowsOf(({ id }) => sql`select * from events where customer_id = ${id} order by position`),
      erase: (tx, { id }) =>
        rewrite(
          tx,
          sql`
          update events set data = data - ${PERSONAL_FIELDS}::text[]
          where customer_id = ${id} and data ?| ${PERSONAL_FIELDS} returning id, data`,
        ),
    },
    event_sequences: rowsOf(({ id }) => sql`select * from event_sequences where customer_id = ${id}`),
    event_outbox: rowsOf(({ id }) => sql`select * from event_outbox where customer_id = ${id}`),
    partner_events: {
      async find(db, { id }) {
        const ids = await db.rows<{ id: string }>(sql`select id from events where customer_id = ${id}`);
        return findTold(
          db,
          ids.map((event) => event.id),
        );
      },
    },
  },
};

/** What partners were told is a copy. What they fetched, or were sent, is theirs to erase. */
async function rewrite(tx: Tx, update: Sql): Promise<void> {
  const changed = await tx.rows<{ id: string; data: object }>(update);
  if (changed.length === 0) return;
  await tx.run(sql`
    ${PARTNERS}
    update partner_events e set data = c.data
    from partner p, unnest(${changed.map(({ id }) => id)}::text[], ${changed.map(({ data }) => JSON.stringify(data))}::jsonb[])
      as c (id, data)
    where e.partner_id = p.id and e.id = c.id`);
}

const findTold = (db: Queryable, ids: readonly string[]): Promise<object[]> =>
  db.rows(sql`
    ${PARTNERS}
    select e.* from partner p join partner_events e on e.partner_id = p.id and e.id = any(${ids})
    order by e.partner_id, e.position`);

/** All partners that were told anything, each by one look at the index: with them an event is found by its id. */
const PARTNERS = sql`
  with recursive partner as (
    select min(partner_id) as id from partner_events
    union all
    select (select min(partner_id) from partner_events where partner_id > p.id) from partner p where p.id is not null)`;
