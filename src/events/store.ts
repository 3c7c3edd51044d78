import { batchable } from '#platform/database/batchable.ts';
import { type Queryable, type Sql, sql, type Tx } from '#platform/database/db.ts';
import { purgeInBatches } from '#platform/database/purge.ts';
import type { NewEvent } from './event.ts';

/** Announced after the commit, with the customer's id or `NOBODY`. */
export const EVENTS_TOPIC = 'events';
export const NOBODY = '-';

/**
 * Writes events, in this order, and their outbox rows. The relay and the customers' streams are notified soon after the commit.
 */
export function insertEvents(tx: Tx, events: readonly NewEvent[]): void {
  for (const [customerId, own] of Map.groupBy(events, (event) => event.customerId)) {
    if (customerId === null) insertGlobalEvents(tx, own);
    else insertEventsOf(tx, { customerId, events: own });
    tx.announce(EVENTS_TOPIC, customerId ?? NOBODY);
  }
}

function insertEventsOf(tx: Tx, happened: CustomerEvents): void {
  if (happened.events.some(({ checkoutHash }) => checkoutHash !== null)) tx.write(insertSequences(happened));
  tx.write(insertWaiting(happened));
  tx.write(insertHappened(happened));
}

function insertGlobalEvents(tx: Tx, events: readonly NewEvent[]): void {
  tx.write(sql`
    with written as (
      insert into global_events (id, type, merchant_id, partner_id, data, occurred_at)
      select id, type, merchant_id, partner_id, data, occurred_at
      from unnest(${events.map(({ id }) => id)}::text[], ${events.map(({ type }) => type)}::text[],
                  ${events.map(({ merchantId }) => merchantId ?? null)}::bigint[],
                  ${events.map(({ partnerId }) => partnerId ?? null)}::text[],
                  ${events.map(({ data }) => JSON.stringify(data))}::jsonb[],
                  ${events.map(({ occurredAt }) => occurredAt)}::timestamptz[])
           as h (id, type, merchant_id, partner_id, data, occurred_at)
      returning position)
    insert into global_event_outbox (position) select position from written`);
}

/**
 * For a statement that itself finds out what happened: `rows` selects id, type, data and instant. Only the operator reads these
 * events: they do not go to the outbox.
 */
export const insertGlobalEventsFrom = (rows: Sql): Sql =>
  sql`insert into global_events (id, type, data, occurred_at) ${rows}`;

type CustomerEvents = { readonly customerId: string; readonly events: readonly NewEvent[] };

/** Advances the sequences of purchases by the number of events that are numbered in them. */
const insertSequences = batchable((rows: readonly CustomerEvents[], owner) => {
  const moved = rows.flatMap(({ customerId, events }) =>
    [...Map.groupBy(events, ({ checkoutHash }) => checkoutHash)]
      .filter(([hash]) => hash !== null)
      .map(([hash, own]) => ({
        customerId,
        hash,
        count: own.length,
        merchantId: own.find(({ merchantId }) => merchantId)?.merchantId ?? null,
        purchase: own.find(({ purchase }) => purchase)?.purchase ?? null,
      })),
  );
  return sql`
    insert into event_sequences as s (customer_id, checkout_hash, sequence, merchant_id, purchase)
    select ${owner}, k.checkout_hash, k.count, k.merchant_id, k.purchase
    from unnest(${moved.map(({ customerId }) => customerId)}::text[], ${moved.map(({ hash }) => hash)}::text[],
                ${moved.map(({ count }) => count)}::int[], ${moved.map(({ merchantId }) => merchantId)}::bigint[],
                ${moved.map(({ purchase }) => purchase && JSON.stringify(purchase))}::jsonb[])
         as k (customer_id, checkout_hash, count, merchant_id, purchase)
    on conflict (customer_id, checkout_hash) do update set
      sequence = s.sequence + excluded.sequence, merchant_id = coalesce(s.merchant_id, excluded.merchant_id),
      purchase = coalesce(s.purchase, excluded.purchase)`;
});

const insertWaiting = batchable((rows: readonly CustomerEvents[], owner) => {
  const waiting = rows.flatMap(({ customerId, events }) => events.map(({ id }) => ({ customerId, id })));
  return sql`
    insert into event_outbox (customer_id, event_id)
    select ${owner}, k.id
    from unnest(${waiting.map(({ customerId }) => customerId)}::text[], ${waiting.map(({ id }) => id)}::text[])
         with ordinality as k (customer_id, id, i)
    order by k.i`;
});

/** An event's sequence is the purchase's newest, less the number of its later events in the batch. */
const insertHappened = batchable((rows: readonly CustomerEvents[], owner) => {
  const happened = rows.flatMap(({ customerId, events }) =>
    events.map((event, i) => ({
      ...event,
      customerId,
      later: events.slice(i + 1).filter(({ checkoutHash }) => checkoutHash === event.checkoutHash).length,
    })),
  );
  return sql`
    insert into events (customer_id, id, type, checkout_hash, sequence, merchant_id, partner_id, data, occurred_at)
    select ${owner}, k.id, k.type, k.checkout_hash, n.sequence - k.later, coalesce(n.merchant_id, k.merchant_id),
           k.partner_id, coalesce(n.purchase, '{}') || k.data, k.occurred_at
    from unnest(${happened.map(({ customerId }) => customerId)}::text[], ${happened.map(({ id }) => id)}::text[],
                ${happened.map(({ type }) => type)}::text[],
                ${happened.map(({ checkoutHash }) => checkoutHash)}::text[],
                ${happened.map(({ merchantId }) => merchantId ?? null)}::bigint[],
                ${happened.map(({ partnerId }) => partnerId ?? null)}::text[],
                ${happened.map(({ data }) => JSON.stringify(data))}::jsonb[],
                ${happened.map(({ occurredAt }) => occurredAt)}::timestamptz[],
                ${happened.map(({ later }) => later)}::int[]) with ordinality
         as k (customer_id, id, type, checkout_hash, merchant_id, partner_id, data, occurred_at, later, i)
    left join event_sequences n on n.customer_id = ${owner} and n.checkout_hash = k.checkout_hash
    order by k.i`;
});

export type WrittenEvent = {
  id: string;
  position: number;
  type: string;
  sequence: number | null;
  data: unknown;
  occurred_at: Date;
};

/** In the order of this customer's events: see the index in the migrations. */
export const listEventsAfter = (db: Queryable, customerId: string, position: number, limit: number) =>
  db.rows<WrittenEvent>(sql`
    select id, position, type, sequence, data, occurred_at from events
    where customer_id = ${customerId} and position > ${position} order by position limit ${limit}`);

export async function findPosition(db: Queryable, customerId: string, id: string) {
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
