import { EVENT_TYPES, getScopes, type OutboxEvent, type RecipientScope, type StoredEvent } from '#events';
import { lockAdvisory, tryLockAdvisory } from '#platform/database/advisory-locks.ts';
import { pluck, type Queryable, runInBatches, type Sql, sql, type Tx } from '#platform/database/db.ts';
import type { EventRecipient } from './recipients.ts';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

type PublishedEvent = Pick<OutboxEvent, 'id' | 'occurredAt' | 'checkoutHash' | 'sequence' | 'data'> & {
  readonly type: string;
  /** Added to the data for the merchant of the event. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
};

export type Publication = { readonly event: PublishedEvent; readonly recipients: readonly EventRecipient[] };

/** Returns false while another node relays events. The lock is held until the end of the transaction. */
export function tryLockRelay(tx: Tx): Promise<boolean> {
  return tryLockAdvisory(tx, 'eventRelay');
}

/** Holds the lock until the commit, so that positions become visible in order. */
const lockPublication = (tx: Tx) => lockAdvisory(tx, 'eventPublication');

/** SQL expression: the data of a partner's event without the customer, whom keys that are bound to a merchant must not see. */
export const omitCustomer = (data: Sql): Sql => sql`${data} - 'customer_id'`;

const listTypes = (scope: RecipientScope) => EVENT_TYPES.filter((type) => getScopes(type).includes(scope));
const PUBLIC_TYPES = listTypes('public');
const WALLET_TYPES = listTypes('wallet');

/**
 * SQL condition: whether these scopes allow reading an event of the partner. Null scopes allow every event: keys that are bound to a merchant
 * have them, and the calling statement selects the merchant's events. `unbound` events are those that reach keys without a merchant.
 */
export const isReadableWith = (scopes: Sql, event: Sql): Sql => sql`
  (${scopes} is null or ${event}.unbound and (
    'public' = any (${scopes}) and ${event}.type = any (${PUBLIC_TYPES}::text[])
    or 'wallet' = any (${scopes}) and ${event}.type = any (${WALLET_TYPES}::text[])))`;

/** Inserts the events into the feeds and queues deliveries. Returns the ids of webhooks that have new due deliveries. */
async function insertPartnerEvents(tx: Tx, publications: readonly Publication[]): Promise<string[]> {
  const partnerEvents = publications.flatMap(({ event, recipients }) =>
    recipients.map(({ customerId, ...partner }) => ({
      ...event,
      ...partner,
      data: {
        ...(event.data as object),
        ...(event.metadata && partner.merchantId !== null && { metadata: event.metadata }),
        ...(customerId !== null && { customer_id: customerId }),
      },
    })),
  );
  const rows = await tx.rows<{ endpoint_id: string }>(sql`
    with inserted_events as (
      insert into partner_events (partner_id, id, type, occurred_at, checkout_hash, sequence, data, unbound, merchant_id)
      select partner_id, id, type, occurred_at, checkout_hash, sequence, data, unbound, merchant_id
      from unnest(
        ${pluck(partnerEvents, 'partnerId')}::text[], ${pluck(partnerEvents, 'id')}::text[],
        ${pluck(partnerEvents, 'type')}::text[], ${pluck(partnerEvents, 'occurredAt')}::timestamptz[],
        ${pluck(partnerEvents, 'checkoutHash')}::text[], ${pluck(partnerEvents, 'sequence')}::int[],
        ${partnerEvents.map(({ data }) => JSON.stringify(data))}::jsonb[],
        ${pluck(partnerEvents, 'reachesKeysWithoutMerchant')}::boolean[], ${pluck(partnerEvents, 'merchantId')}::bigint[]
      ) with ordinality as partner_event (partner_id, id, type, occurred_at, checkout_hash, sequence, data, unbound, merchant_id, ordinal)
      order by ordinal
      on conflict (partner_id, id) do nothing
      returning partner_id, position, id, type, occurred_at, unbound, merchant_id),
    queued_deliveries as (
      insert into webhook_deliveries (endpoint_id, event_id, partner_id, position, type, occurred_at)
      select webhook.id, event.id, event.partner_id, event.position, event.type, event.occurred_at
      from inserted_events event join webhook_endpoints webhook on webhook.partner_id = event.partner_id
      where webhook.status = 'enabled' and (webhook.event_types = '{}' or event.type = any (webhook.event_types))
        and (webhook.merchant_id is null or webhook.merchant_id = event.merchant_id)
        and ${isReadableWith(sql`webhook.scopes`, sql`event`)}
      on conflict (endpoint_id, event_id) do nothing
      returning endpoint_id)
    select distinct endpoint_id from queued_deliveries`);
  return rows.map(({ endpoint_id }) => endpoint_id);
}

export async function purgePartnerEvents(db: Queryable, occurredBefore: Date): Promise<void> {
  await runInBatches(() =>
    db.run(sql`
      delete from webhook_deliveries delivery
      using (select endpoint_id, event_id from webhook_deliveries where occurred_at < ${occurredBefore} limit 1000) as old
      where delivery.endpoint_id = old.endpoint_id and delivery.event_id = old.event_id`),
  );
  await runInBatches(() => purgeOldestBatch(db, occurredBefore));
}

/**
 * Deletes a batch of old events and records up to which position each partner's events were purged, so that older cursors are refused.
 * Returns the number of deleted events. Finds the partners with events, and the oldest events of each, by index lookups.
 */
const purgeOldestBatch = async (db: Queryable, occurredBefore: Date) =>
  (await db.value<number>(sql`
    with recursive partner as (
      select min(partner_id) as id from partner_events
      union all
      select (select min(partner_id) from partner_events where partner_id > partner.id)
      from partner where partner.id is not null),
    deleted_events as (
      delete from partner_events event
      using (
        select oldest.partner_id, oldest.position
        from partner cross join lateral (
          select partner_id, position from partner_events
          where partner_id = partner.id and occurred_at < ${occurredBefore} order by occurred_at, position limit 1000) as oldest
        limit 1000) as old
      where event.partner_id = old.partner_id and event.position = old.position
      returning event.partner_id, event.position),
    recorded as (
      insert into partner_feeds as feed (partner_id, purged_to)
      select partner_id, max(position) from deleted_events group by partner_id order by partner_id
      on conflict (partner_id) do update set purged_to = greatest(feed.purged_to, excluded.purged_to))
    select count(*) from deleted_events`))!;

type RecipientRow = {
  event_id: string;
  partner_id: string;
  /** The webhook for which the event was queued; null if it is only in the partner's feed. */
  webhook_id: string | null;
  url: string | null;
  status: DeliveryStatus | null;
  tries: number | null;
  settled_at: Date | null;
};

/** Lists the partners that received these events, and the status of the deliveries. */
export const listEventRecipients = (db: Queryable, eventIds: readonly string[]) =>
  db.rows<RecipientRow>(sql`
    select event.id as event_id, event.partner_id, queued.webhook_id, queued.url, queued.status, queued.tries,
    queued.settled_at
    from partner_events event left join lateral (
      select webhook.id as webhook_id, webhook.url, delivery.status, delivery.tries, delivery.settled_at
      from webhook_endpoints webhook
      join webhook_deliveries delivery on delivery.endpoint_id = webhook.id and delivery.event_id = event.id
      where webhook.partner_id = event.partner_id) as queued on true
    where event.id = any(${eventIds}) order by event.id, event.partner_id, queued.webhook_id`);

/** Lists events in the order of their positions. No smaller position can appear later. */
export const listPartnerEventsAfter = (db: Queryable, partnerId: string, position: number, limit: number) =>
  db.rows<StoredEvent>(sql`
    select id, position, type, occurred_at, sequence, data from partner_events
    where partner_id = ${partnerId} and position > ${position} order by position limit ${limit}`);

export const findNewestEventPosition = async (db: Queryable, partnerId: string) =>
  (await db.value<number>(sql`
    select coalesce(max(position), 0) from partner_events where partner_id = ${partnerId}`))!;

/** Deliverers listen to this topic. The keys are ids of webhooks. */
export const WEBHOOKS_TOPIC = 'webhooks';

/**
 * Publishes events to partners in the order of the batch: adds them to the partners' feeds, and queues deliveries to their webhooks. Only
 * one transaction publishes at a time. Idempotent per partner and event.
 */
export async function publishToPartners(tx: Tx, batch: readonly Publication[]): Promise<void> {
  const publications = batch.filter(({ recipients }) => recipients.length > 0);
  if (publications.length === 0) return;
  await lockPublication(tx);
  for (const webhookId of await insertPartnerEvents(tx, publications))
    tx.notifyAfterCommit(WEBHOOKS_TOPIC, webhookId);
}
