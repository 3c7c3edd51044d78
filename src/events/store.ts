import { type Queryable, sql, type Tx } from '#platform/db.ts';
import type { Event } from './events.ts';

/**
 * The sequence of a checkout is the next number; the caller has locked the customer, and the unique index refuses a
 * number that was taken all the same.
 */
export async function insertEvent(
  tx: Tx,
  event: Event & { id: string; checkoutHash: string | null },
  now: Date,
): Promise<void> {
  const { id, type, customerId, checkoutHash, data } = event;
  await tx.run(sql`
    insert into events (customer_id, id, type, checkout_hash, sequence, data, occurred_at)
    select ${customerId ?? ''}, ${id}, ${type}, ${checkoutHash}::text,
           case when ${checkoutHash}::text is not null then 1 + coalesce((
             select max(sequence) from events
             where customer_id = ${customerId ?? ''} and checkout_hash = ${checkoutHash}), 0) end,
           ${JSON.stringify(data)}::jsonb, ${now}`);
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
