import { type Queryable, sql, type Tx } from '#platform/db.ts';
import type { Event } from './events.ts';

/** Streams of the customer hear of it soon after the commit. */
export async function insertEvent(
  tx: Tx,
  event: Event & { id: string; checkoutHash: string | null },
  now: Date,
): Promise<void> {
  const { id, type, customerId, checkoutHash } = event;
  const data = JSON.stringify(event.data);
  if (customerId === null) {
    await tx.run(sql`
      insert into global_events (id, type, data, occurred_at) values (${id}, ${type}, ${data}::jsonb, ${now})`);
    return;
  }
  if (checkoutHash === null) {
    await tx.run(sql`
      insert into events (customer_id, id, type, data, occurred_at)
      values (${customerId}, ${id}, ${type}, ${data}::jsonb, ${now})`);
  } else {
    await tx.run(sql`
      with next as (
        insert into event_sequences as s (customer_id, checkout_hash, sequence)
        values (${customerId}, ${checkoutHash}, 1)
        on conflict (customer_id, checkout_hash) do update set sequence = s.sequence + 1
        returning customer_id, checkout_hash, sequence)
      insert into events (customer_id, id, type, checkout_hash, sequence, data, occurred_at)
      select customer_id, ${id}, ${type}, checkout_hash, sequence, ${data}::jsonb, ${now}::timestamptz from next`);
  }
  tx.announce('events', customerId);
}

export type WrittenEvent = {
  id: string;
  position: number;
  type: string;
  data: Record<string, unknown>;
  occurred_at: Date;
};

/** In the order in which they happened to this customer: see the index in the migrations. */
export async function listEventsAfter(
  db: Queryable,
  customerId: string,
  position: number,
  limit: number,
): Promise<WrittenEvent[]> {
  return db.rows(sql`
    select id, position, type, data, occurred_at from events
    where customer_id = ${customerId} and position > ${position} order by position limit ${limit}`);
}

export async function findPosition(
  db: Queryable,
  customerId: string,
  id: string,
): Promise<number | undefined> {
  const row = await db.row<{ position: number }>(
    sql`select position from events where customer_id = ${customerId} and id = ${id}`,
  );
  return row?.position;
}

export async function findNewestPosition(db: Queryable, customerId: string): Promise<number> {
  const row = await db.row<{ newest: number | null }>(
    sql`select max(position) as newest from events where customer_id = ${customerId}`,
  );
  return row?.newest ?? 0;
}

/** Some of those that happened before then; how many. */
export async function purgeEvents(db: Queryable, before: Date): Promise<number> {
  return db.run(sql`
    delete from events e
    using (select customer_id, id from events where occurred_at < ${before} limit 1000) as old
    where e.customer_id = old.customer_id and e.id = old.id`);
}

export async function purgeGlobalEvents(db: Queryable, before: Date): Promise<number> {
  return db.run(sql`
    delete from global_events
    where id in (select id from global_events where occurred_at < ${before} limit 1000)`);
}
