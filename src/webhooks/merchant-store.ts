import { getScopes, type OutboxEvent, type StoredEvent } from '#events';
import { pluck, type Queryable, runInBatches, sql, type Tx } from '#platform/database/db.ts';
import type { FeedFilter } from './feed.ts';

type MerchantOwnedEvent = OutboxEvent & { readonly merchantId: number };

/** Selects the events that merchants receive. */
export const selectMerchantEvents = (events: readonly OutboxEvent[]): MerchantOwnedEvent[] =>
  events.filter(
    (event): event is MerchantOwnedEvent =>
      event.merchantId !== null && getScopes(event.type).includes('merchant'),
  );

/** Inserts the events in the given order. The caller must have locked the relay. */
export async function insertMerchantEvents(tx: Tx, events: readonly MerchantOwnedEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.run(sql`
    insert into merchant_events (merchant_id, id, type, occurred_at, sequence, data)
    select merchant_id, id, type, occurred_at, sequence, data
    from unnest(
      ${pluck(events, 'merchantId')}::bigint[], ${pluck(events, 'id')}::text[],
      ${pluck(events, 'type')}::text[], ${pluck(events, 'occurredAt')}::timestamptz[],
      ${pluck(events, 'sequence')}::int[], ${events.map(({ data }) => JSON.stringify(data))}::jsonb[]
    ) with ordinality as new_event (merchant_id, id, type, occurred_at, sequence, data, ordinal)
    order by ordinal
    on conflict (merchant_id, id) do nothing`);
}

/** Lists events for the streams of merchants, which always have a filter. */
export const listMerchantEventsAfter = (
  db: Queryable,
  merchantId: string,
  position: number,
  limit: number,
  filter: FeedFilter | undefined,
) =>
  db.rows<StoredEvent>(sql`
    select id, position, type, sequence, data, occurred_at from merchant_events
    where merchant_id = ${Number(merchantId)} and position > ${position} and type = any(${filter!.types}::text[])
    order by position limit ${limit}`);

export const findMerchantPosition = (db: Queryable, merchantId: string, id: string) =>
  db.value<number>(
    sql`select position from merchant_events where merchant_id = ${Number(merchantId)} and id = ${id}`,
  );

export const findNewestMerchantPosition = async (db: Queryable, merchantId: string) =>
  (await db.value<number>(sql`
    select coalesce(max(position), 0) from merchant_events where merchant_id = ${Number(merchantId)}`))!;

export const purgeMerchantEvents = (db: Queryable, occurredBefore: Date) =>
  runInBatches(() =>
    db.run(sql`
      delete from merchant_events event
      using (select merchant_id, position from merchant_events where occurred_at < ${occurredBefore} limit 1000) as old
      where event.merchant_id = old.merchant_id and event.position = old.position`),
  );
