import { type Queryable, sql, type Tx } from '#platform/db.ts';
import { purgeInBatches } from '#platform/housekeeping.ts';
import type { Event } from './events.ts';

/** Told after the commit, with the customer's id or `NOBODY`. */
export const EVENTS_TOPIC = 'events';
const NOBODY = '-';

/** In one statement with the row of the outbox. The relay, and streams of the customer, hear of it soon after the commit. */
export function insertEvent(
  tx: Tx,
  event: Event & { id: string; checkoutHash: string | null },
  now: Date,
): void {
  const { id, type, customerId, checkoutHash, merchantId = null, partnerId = null } = event;
  const data = JSON.stringify(event.data);
  if (customerId === null) {
    tx.write(sql`
      with written as (
        insert into global_events (id, type, merchant_id, partner_id, data, occurred_at)
        values (${id}, ${type}, ${merchantId}, ${partnerId}, ${data}::jsonb, ${now}) returning position)
      insert into global_event_outbox (position) select position from written`);
    tx.announce(EVENTS_TOPIC, NOBODY);
    return;
  }
  if (checkoutHash === null) {
    tx.write(sql`
      with written as (
        insert into events (customer_id, id, type, merchant_id, partner_id, data, occurred_at)
        values (${customerId}, ${id}, ${type}, ${merchantId}, ${partnerId}, ${data}::jsonb, ${now})
        returning customer_id, position)
      insert into event_outbox (customer_id, position) select customer_id, position from written`);
  } else {
    tx.write(sql`
      with next as (
        insert into event_sequences as s (customer_id, checkout_hash, sequence, merchant_id)
        values (${customerId}, ${checkoutHash}, 1, ${merchantId})
        on conflict (customer_id, checkout_hash) do update set
          sequence = s.sequence + 1, merchant_id = coalesce(s.merchant_id, excluded.merchant_id)
        returning customer_id, checkout_hash, sequence, merchant_id),
      written as (
        insert into events (customer_id, id, type, checkout_hash, sequence, merchant_id, partner_id, data, occurred_at)
        select customer_id, ${id}, ${type}, checkout_hash, sequence, merchant_id, ${partnerId}, ${data}::jsonb,
               ${now}::timestamptz
        from next returning customer_id, position)
      insert into event_outbox (customer_id, position) select customer_id, position from written`);
  }
  tx.announce(EVENTS_TOPIC, customerId);
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
