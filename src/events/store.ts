import { type Queryable, sql, type Tx } from '#platform/db.ts';
import { purgeInBatches } from '#platform/housekeeping.ts';
import type { Event } from './events.ts';

/** Told after the commit, with the customer's id or `NOBODY`. */
export const EVENTS_TOPIC = 'events';
const NOBODY = '-';

export type NewEvent = Event & { id: string; checkoutHash: string | null; occurredAt: Date };

/**
 * What happened to one customer, or to nobody in particular, in this order: one statement, with the rows of the outbox. The relay, and
 * streams of the customer, hear of it soon after the commit.
 */
export function insertEvents(tx: Tx, customerId: string | null, events: readonly NewEvent[]): void {
  const happened = sql`
    select * from unnest(
      ${events.map(({ id }) => id)}::text[], ${events.map(({ type }) => type)}::text[],
      ${events.map(({ checkoutHash }) => checkoutHash)}::text[],
      ${events.map(({ merchantId }) => merchantId ?? null)}::bigint[],
      ${events.map(({ partnerId }) => partnerId ?? null)}::text[],
      ${events.map(({ data }) => JSON.stringify(data))}::jsonb[],
      ${events.map(({ occurredAt }) => occurredAt)}::timestamptz[]
    ) with ordinality as h (id, type, checkout_hash, merchant_id, partner_id, data, occurred_at, i)`;
  if (customerId === null) {
    tx.write(sql`
      with written as (
        insert into global_events (id, type, merchant_id, partner_id, data, occurred_at)
        select id, type, merchant_id, partner_id, data, occurred_at from (${happened}) as h order by i
        returning position)
      insert into global_event_outbox (position) select position from written`);
  } else {
    // An event's sequence is the purchase's newest, less those of the same purchase that come after it.
    tx.write(sql`
      with happened as (${happened}),
      next as (
        insert into event_sequences as s (customer_id, checkout_hash, sequence, merchant_id)
        select ${customerId}, checkout_hash, count(*), max(merchant_id) from happened
        where checkout_hash is not null group by checkout_hash
        on conflict (customer_id, checkout_hash) do update set
          sequence = s.sequence + excluded.sequence, merchant_id = coalesce(s.merchant_id, excluded.merchant_id)
        returning checkout_hash, sequence, merchant_id),
      written as (
        insert into events (customer_id, id, type, checkout_hash, sequence, merchant_id, partner_id, data, occurred_at)
        select ${customerId}, h.id, h.type, h.checkout_hash,
               n.sequence + 1 - count(h.checkout_hash) over (partition by h.checkout_hash order by h.i desc),
               coalesce(n.merchant_id, h.merchant_id), h.partner_id, h.data, h.occurred_at
        from happened h left join next n using (checkout_hash) order by h.i
        returning customer_id, position)
      insert into event_outbox (customer_id, position) select customer_id, position from written`);
  }
  tx.announce(EVENTS_TOPIC, customerId ?? NOBODY);
}

export type WrittenEvent = {
  id: string;
  position: number;
  type: string;
  sequence: number | null;
  data: unknown;
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
    select id, position, type, sequence, data, occurred_at from events
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

export async function purgeEvents(db: Queryable, before: Date): Promise<void> {
  await purgeInBatches(() =>
    db.run(sql`
      delete from events e
      using (select customer_id, id from events where occurred_at < ${before} limit 1000) as old
      where e.customer_id = old.customer_id and e.id = old.id`),
  );
  await purgeInBatches(() =>
    db.run(sql`
      delete from global_events
      where id in (select id from global_events where occurred_at < ${before} limit 1000)`),
  );
}
