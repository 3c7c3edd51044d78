import { Type } from 'typebox';
import {
  batchable,
  pluck,
  type Queryable,
  runInBatches,
  type Sql,
  sql,
  type Tx,
} from '#platform/database/db.ts';
import { defineList, filterBy, filterByDays } from '#platform/http/list.ts';
import { Id } from '#platform/http/schemas.ts';
import { type EventType, STAFF_EVENT_TYPES } from './catalog.ts';
import type { NewEvent } from './event.ts';

/** The topic on which nodes are notified of committed events, with the customer's id, or `GLOBAL_KEY` for events without a customer. */
export const EVENTS_TOPIC = 'events';
export const GLOBAL_KEY = '-';

/** Queues the inserts of events, in the given order, and of their outbox rows. The relay and the streams are notified soon after the commit. */
export function insertEvents(tx: Tx, events: readonly NewEvent[]): void {
  for (const [customerId, ownEvents] of Map.groupBy(events, (event) => event.customerId)) {
    if (customerId === null) insertGlobalEvents(tx, ownEvents);
    else insertCustomerEvents(tx, { customerId, events: ownEvents });
    tx.notifyAfterCommit(EVENTS_TOPIC, customerId ?? GLOBAL_KEY);
  }
}

function insertCustomerEvents(tx: Tx, customerEvents: CustomerEvents): void {
  if (customerEvents.events.some(({ checkoutHash }) => checkoutHash !== null))
    tx.queueWrite(upsertSequences(customerEvents));
  tx.queueWrite(insertOutboxRows(customerEvents));
  tx.queueWrite(insertEventRows(customerEvents));
}

function insertGlobalEvents(tx: Tx, events: readonly NewEvent[]): void {
  tx.queueWrite(sql`
    with inserted as (
      insert into global_events (id, type, merchant_id, partner_id, data, occurred_at)
      select id, type, merchant_id, partner_id, data, occurred_at
      from unnest(${pluck(events, 'id')}::text[], ${pluck(events, 'type')}::text[],
                  ${events.map(({ merchantId }) => merchantId ?? null)}::bigint[],
                  ${events.map(({ partnerId }) => partnerId ?? null)}::text[],
                  ${events.map(({ data }) => JSON.stringify(data))}::jsonb[],
                  ${pluck(events, 'occurredAt')}::timestamptz[])
           as new_event (id, type, merchant_id, partner_id, data, occurred_at)
      returning position)
    insert into global_event_outbox (position) select position from inserted`);
}

/**
 * Builds a statement that inserts the events which another statement selects: their ids, types, data and timestamps. Only staff users read
 * these events; they are not added to the outbox.
 */
export const buildGlobalEventsInsert = (selectStatement: Sql): Sql =>
  sql`insert into global_events (id, type, data, occurred_at) ${selectStatement}`;

type CustomerEvents = { readonly customerId: string; readonly events: readonly NewEvent[] };

/** Advances the sequence of each purchase by the number of its events. Stores its merchant and `PurchaseContext`, which its first event sets. */
const upsertSequences = batchable((rows: readonly CustomerEvents[], customerSql) => {
  const advancedSequences = rows.flatMap(({ customerId, events }) =>
    [...Map.groupBy(events, ({ checkoutHash }) => checkoutHash)]
      .filter(([hash]) => hash !== null)
      .map(([hash, purchaseEvents]) => ({
        customerId,
        hash,
        count: purchaseEvents.length,
        merchantId: purchaseEvents.find(({ merchantId }) => merchantId)?.merchantId ?? null,
        purchase: purchaseEvents.find(({ purchase }) => purchase)?.purchase ?? null,
      })),
  );
  return sql`
    insert into event_sequences as existing (customer_id, checkout_hash, sequence, merchant_id, purchase)
    select ${customerSql}, input.checkout_hash, input.count, input.merchant_id, input.purchase
    from unnest(${pluck(advancedSequences, 'customerId')}::text[], ${pluck(advancedSequences, 'hash')}::text[],
                ${pluck(advancedSequences, 'count')}::int[], ${pluck(advancedSequences, 'merchantId')}::bigint[],
                ${advancedSequences.map(({ purchase }) => purchase && JSON.stringify(purchase))}::jsonb[])
         as input (customer_id, checkout_hash, count, merchant_id, purchase)
    on conflict (customer_id, checkout_hash) do update set
      sequence = existing.sequence + excluded.sequence, merchant_id = coalesce(existing.merchant_id, excluded.merchant_id),
      purchase = coalesce(existing.purchase, excluded.purchase)`;
});

const insertOutboxRows = batchable((rows: readonly CustomerEvents[], customerSql) => {
  const outboxRows = rows.flatMap(({ customerId, events }) => events.map(({ id }) => ({ customerId, id })));
  return sql`
    insert into event_outbox (customer_id, event_id)
    select ${customerSql}, input.id
    from unnest(${pluck(outboxRows, 'customerId')}::text[], ${pluck(outboxRows, 'id')}::text[])
         with ordinality as input (customer_id, id, ordinal)
    order by input.ordinal`;
});

/** Must follow `upsertSequences`: the number of an event is the sequence of its purchase, minus the count of later events of this insert. */
const insertEventRows = batchable((rows: readonly CustomerEvents[], customerSql) => {
  const eventRows = rows.flatMap(({ customerId, events }) =>
    events.map((event, i) => ({
      ...event,
      customerId,
      laterCount: events.slice(i + 1).filter(({ checkoutHash }) => checkoutHash === event.checkoutHash)
        .length,
    })),
  );
  return sql`
    insert into events (customer_id, id, type, checkout_hash, sequence, merchant_id, partner_id, data, occurred_at)
    select ${customerSql}, input.id, input.type, input.checkout_hash, sequences.sequence - input.later_count,
           coalesce(sequences.merchant_id, input.merchant_id), input.partner_id,
           coalesce(sequences.purchase, '{}') || input.data, input.occurred_at
    from unnest(${pluck(eventRows, 'customerId')}::text[], ${pluck(eventRows, 'id')}::text[],
                ${pluck(eventRows, 'type')}::text[],
                ${pluck(eventRows, 'checkoutHash')}::text[],
                ${eventRows.map(({ merchantId }) => merchantId ?? null)}::bigint[],
                ${eventRows.map(({ partnerId }) => partnerId ?? null)}::text[],
                ${eventRows.map(({ data }) => JSON.stringify(data))}::jsonb[],
                ${pluck(eventRows, 'occurredAt')}::timestamptz[],
                ${pluck(eventRows, 'laterCount')}::int[]) with ordinality
         as input (customer_id, id, type, checkout_hash, merchant_id, partner_id, data, occurred_at, later_count, ordinal)
    left join event_sequences sequences on sequences.customer_id = ${customerSql} and sequences.checkout_hash = input.checkout_hash
    order by input.ordinal`;
});

export type StoredEvent = {
  id: string;
  position: number;
  type: string;
  sequence: number | null;
  data: unknown;
  occurred_at: Date;
};

/** Lists a customer's events after a position, in order. */
export const listEventsAfter = (db: Queryable, customerId: string, position: number, limit: number) =>
  db.rows<StoredEvent>(sql`
    select id, position, type, sequence, data, occurred_at from events
    where customer_id = ${customerId} and position > ${position} order by position limit ${limit}`);

export const findPosition = (db: Queryable, customerId: string, id: string) =>
  db.value<number>(sql`select position from events where customer_id = ${customerId} and id = ${id}`);

export const findNewestPosition = async (db: Queryable, customerId: string) =>
  (await db.value<number>(sql`
    select coalesce(max(position), 0) from events where customer_id = ${customerId}`))!;

export async function purgeEvents(db: Queryable, occurredBefore: Date): Promise<void> {
  await runInBatches(() =>
    db.run(sql`
      delete from events event
      using (select customer_id, id from events where occurred_at < ${occurredBefore} limit 1000) as old
      where event.customer_id = old.customer_id and event.id = old.id`),
  );
  await runInBatches(() =>
    db.run(sql`
      delete from global_events
      where id in (select id from global_events where occurred_at < ${occurredBefore} limit 1000)`),
  );
}

/** An event of the outbox, with the attributes that decide who receives it. */
export type OutboxEvent = {
  readonly id: string;
  readonly type: EventType;
  readonly occurredAt: Date;
  readonly checkoutHash: string | null;
  readonly sequence: number | null;
  readonly data: unknown;
  readonly customerId: string | null;
  readonly merchantId: number | null;
  readonly partnerId: string | null;
};

/** `id` is null if the event was purged. */
type OutboxRow = { position: number } & (Omit<OutboxEvent, 'customerId'> | { id: null });

/**
 * Lists the events in the outbox, with each customer's events in order; optionally of one customer. `event` is null if the event was
 * purged because it waited longer than the retention period.
 */
export async function listOutboxEvents(tx: Tx, limit: number, customerId?: string) {
  const [outboxCondition, eventCondition] =
    customerId === undefined
      ? [sql``, sql``]
      : [sql`where customer_id = ${customerId}`, sql`and event.customer_id = ${customerId}`];
  const rows = await tx.rows<OutboxRow & { customerId: string }>(sql`
    select outbox.customer_id as "customerId", outbox.position, event.id, event.type, event.occurred_at as "occurredAt",
           event.checkout_hash as "checkoutHash", event.sequence, event.merchant_id as "merchantId",
           event.partner_id as "partnerId", event.data
    from (select customer_id, position, event_id from event_outbox ${outboxCondition} order by position limit ${limit}) as outbox
    left join events event on event.customer_id = outbox.customer_id and event.id = outbox.event_id ${eventCondition}
    order by outbox.position`);
  return rows.map(({ customerId: eventCustomerId, position, ...event }) => ({
    customerId: eventCustomerId,
    position,
    event: event.id === null ? null : { ...event, customerId: eventCustomerId },
  }));
}

/** Like `listOutboxEvents`, for events that concern no customer. */
export async function listGlobalOutboxEvents(tx: Tx, limit: number) {
  const rows = await tx.rows<OutboxRow>(sql`
    select outbox.position, event.id, event.type, event.occurred_at as "occurredAt", null as "checkoutHash", null::int as sequence,
           event.merchant_id as "merchantId", event.partner_id as "partnerId", event.data
    from (select position from global_event_outbox order by position limit ${limit}) as outbox
    left join global_events event on event.position = outbox.position
    order by outbox.position`);
  return rows.map(({ position, ...event }) => ({
    position,
    event: event.id === null ? null : { ...event, customerId: null },
  }));
}

export async function deleteOutboxEvents(
  tx: Tx,
  outboxEvents: ReadonlyArray<{ customerId: string; position: number }>,
): Promise<void> {
  // Positions are unique across customers, also on Citus. The customer ids let Citus know which shards are involved.
  await tx.run(sql`
    delete from event_outbox
    where position = any(${pluck(outboxEvents, 'position')}::bigint[])
      and customer_id = any(${[...new Set(outboxEvents.map(({ customerId }) => customerId))]})`);
}

export const deleteGlobalOutboxEvents = (tx: Tx, outboxEvents: ReadonlyArray<{ position: number }>) =>
  tx.run(sql`
    delete from global_event_outbox where position = any(${pluck(outboxEvents, 'position')}::bigint[])`);

export type StaffEventRow = StoredEvent & {
  customer_id: string | null;
  checkout_hash: string | null;
  data: object;
};

/** Lists the events of customers and the global events. The positions of global events are negated, so that all positions differ. */
export const eventList = defineList({
  select: sql`
    select * from (
      select id, type, customer_id, checkout_hash, sequence, data, occurred_at, position from events
      union all
      select id, type, null, null, null, data, occurred_at, - position from global_events) as all_events`,
  filters: {
    type: filterBy(Type.Enum([...STAFF_EVENT_TYPES]), sql`type`),
    customer: filterBy(Id('cus', { description: 'Id of the customer.' }), sql`customer_id`),
    checkout: {
      schema: Type.String({ pattern: '^[0-9A-Za-z]{22}$', description: 'Hash of the purchase.' }),
      // Events are stored by customer. The empty id of an unknown purchase matches no events.
      resolve: async (hash: string, db: Queryable) => ({
        hash,
        customerId: (await findCheckoutCustomer(db, hash)) ?? '',
      }),
      where: ({ hash, customerId }: { hash: string; customerId: string }) =>
        sql`customer_id = ${customerId} and checkout_hash = ${hash}`,
    },
    ...filterByDays('Happened', sql`occurred_at`),
  },
  orderBy: [sql`occurred_at`, sql`position`],
  keyOf: ({ occurred_at, position }: StaffEventRow) => [occurred_at, position],
});

/** Finds the customer of a purchase; undefined if the purchase has no events. */
export const findCheckoutCustomer = (db: Queryable, checkoutHash: string) =>
  db.value<string>(sql`select customer_id from event_sequences where checkout_hash = ${checkoutHash}`);
