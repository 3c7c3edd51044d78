import { type Queryable, sql, type Tx } from '#platform/db.ts';
import { purgeInBatches } from '#platform/housekeeping.ts';
import type { Event } from './events.ts';

/** Told after the commit, with the customer's id or `NOBODY`. */
export const EVENTS_TOPIC = 'events';
export const NOBODY = '-';

export type NewEvent = Event & { id: string; checkoutHash: string | null; occurredAt: Date };

/**
 * What happened to one customer, or to nobody in particular, in this order, with the rows of the outbox. The relay, and streams of
 * the customer, hear of it soon after the commit. No statement of a customer's hands rows on to an insert: Citus would take them to
 * every worker, and all of them would have to be there.
 */
export function insertEvents(tx: Tx, customerId: string | null, events: readonly NewEvent[]): void {
  const later = events.map(
    ({ checkoutHash }, i) => events.slice(i + 1).filter((one) => one.checkoutHash === checkoutHash).length,
  );
  const happened = sql`
    select * from unnest(
      ${events.map(({ id }) => id)}::text[], ${events.map(({ type }) => type)}::text[],
      ${events.map(({ checkoutHash }) => checkoutHash)}::text[],
      ${events.map(({ merchantId }) => merchantId ?? null)}::bigint[],
      ${events.map(({ partnerId }) => partnerId ?? null)}::text[],
      ${events.map(({ data }) => JSON.stringify(data))}::jsonb[],
      ${events.map(({ occurredAt }) => occurredAt)}::timestamptz[],
      ${later}::int[]
    ) with ordinality as h (id, type, checkout_hash, merchant_id, partner_id, data, occurred_at, later, i)`;
  if (customerId === null) {
    tx.write(sql`
      with written as (
        insert into global_events (id, type, merchant_id, partner_id, data, occurred_at)
        select id, type, merchant_id, partner_id, data, occurred_at from (${happened}) as h order by i
        returning position)
      insert into global_event_outbox (position) select position from written`);
  } else {
    for (const [hash, own] of Map.groupBy(events, ({ checkoutHash }) => checkoutHash))
      if (hash !== null)
        tx.write(sql`
          insert into event_sequences as s (customer_id, checkout_hash, sequence, merchant_id)
          values (${customerId}, ${hash}, ${own.length}, ${own.find(({ merchantId }) => merchantId)?.merchantId ?? null})
          on conflict (customer_id, checkout_hash) do update set
            sequence = s.sequence + excluded.sequence, merchant_id = coalesce(s.merchant_id, excluded.merchant_id)`);
    // An event's sequence is the purchase's newest, less those of the same purchase that come after it.
    tx.write(sql`
      with waiting as (
        insert into event_outbox (customer_id, event_id)
        select ${customerId}, id from unnest(${events.map(({ id }) => id)}::text[]) with ordinality as h (id, i) order by i)
      insert into events (customer_id, id, type, checkout_hash, sequence, merchant_id, partner_id, data, occurred_at)
      select ${customerId}, h.id, h.type, h.checkout_hash, n.sequence - h.later, coalesce(n.merchant_id, h.merchant_id),
             h.partner_id, h.data, h.occurred_at
      from (${happened}) as h
      left join event_sequences n on n.customer_id = ${customerId} and n.checkout_hash = h.checkout_hash
      order by h.i`);
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
