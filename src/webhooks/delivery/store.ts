import { Type } from 'typebox';
import { findPartner } from '#partners';
import { lockKey } from '#platform/database/advisory-locks.ts';
import { columns, type RowOf, type TableRow } from '#platform/database/columns.ts';
import { type Queryable, runInBatches, type Sql, sql, type Tx } from '#platform/database/db.ts';
import { buildListQuery, defineList, filterBy } from '#platform/http/list.ts';
import type { ListQuery } from '#platform/http/list-query.ts';
import { Text } from '#platform/http/schemas.ts';
import { omit } from '#platform/omit.ts';
import type { Ciphertext } from '#platform/vault.ts';
import { webhook_endpoints } from '../generated/tables.ts';
import { type DeliveryStatus, isReadableWith, omitCustomer } from '../publish-store.ts';
import { WEBHOOK_STATUSES } from './schemas.ts';
import type { DeliveryAttempt, Exchange } from './sender.ts';

/** The columns of a new webhook. The others have defaults. */
const newWebhookColumns = columns(
  omit(
    webhook_endpoints,
    'status',
    'disabled_reason',
    'disabled_at',
    'old_secret_until',
    'revision',
    'failing_since',
    'failures',
    'held_until',
  ),
);

export type WebhookRow = TableRow<typeof webhook_endpoints>;

export const insertWebhook = (tx: Tx, webhook: RowOf<typeof newWebhookColumns>) =>
  tx.run(sql`insert into webhook_endpoints ${newWebhookColumns.values(webhook)}`);

/** Locks the partner, so that concurrent creations cannot exceed the limit together. */
export async function lockAndCountWebhooks(tx: Tx, partnerId: string): Promise<number> {
  await lockKey(tx, 'webhooks', partnerId);
  return (await tx.value<number>(
    sql`select count(*) from webhook_endpoints where partner_id = ${partnerId}`,
  ))!;
}

/** Which webhooks an API key manages. */
export type WebhookOwner = {
  readonly partnerId: string;
  /** The merchant that the key is bound to and manages the webhooks of. Null: the key manages the webhooks without a merchant. */
  readonly merchantId: number | null;
  /** The key manages only webhooks that were registered with these scopes or fewer. Null: no restriction. */
  readonly scopes: readonly string[] | null;
};

const isOwnedBy = ({ partnerId, merchantId, scopes }: WebhookOwner): Sql => sql`
  partner_id = ${partnerId} and merchant_id is not distinct from ${merchantId}::bigint
  and (${scopes}::text[] is null or scopes <@ ${scopes}::text[])`;

/** Staff users find the webhooks of all owners. */
export const findWebhook = (db: Queryable, id: string, owner?: WebhookOwner) =>
  db.row<WebhookRow>(
    sql`select * from webhook_endpoints where id = ${id} and ${owner ? isOwnedBy(owner) : sql`true`}`,
  );

export const lockWebhook = (tx: Tx, id: string) =>
  tx.row<WebhookRow>(sql`select * from webhook_endpoints where id = ${id} for update`);

/** The list is sorted by id: ids contain the creation time. */
export const webhookList = defineList({
  select: sql`select * from webhook_endpoints`,
  filters: {
    partner: {
      schema: Text(120, { description: 'Id or name of a partner.' }),
      resolve: async (partner: string, db: Queryable) => (await findPartner(db, partner))?.id ?? partner,
      where: (id: string) => sql`partner_id = ${id}`,
    },
    status: filterBy(Type.Enum([...WEBHOOK_STATUSES]), sql`status`),
  },
  orderBy: [sql`id`],
  keyOf: ({ id }: WebhookRow) => [id],
});

export function buildOwnWebhookListQuery(
  owner: WebhookOwner,
  status: WebhookRow['status'] | undefined,
  now: Date,
): ListQuery<WebhookRow> {
  const query = buildListQuery(webhookList, { status }, now);
  return { ...query, where: [isOwnedBy(owner), ...query.where] };
}

export const listWebhooksById = (db: Queryable, ids: readonly string[]) =>
  db.rows<WebhookRow>(sql`select * from webhook_endpoints where id = any (${ids})`);

export const saveRotatedSecrets = (tx: Tx, id: string, secrets: Ciphertext, overlapHours: number) =>
  tx.run(sql`
    update webhook_endpoints
    set secrets = ${secrets.bytes}, key_version = ${secrets.version}, revision = revision + 1,
        old_secret_until = now() + ${overlapHours}::int * interval '1 hour'
    where id = ${id}`);

export const saveUrlAndEventTypes = (
  tx: Tx,
  id: string,
  { url, event_types }: Pick<WebhookRow, 'url' | 'event_types'>,
) =>
  tx.run(sql`
    update webhook_endpoints set url = ${url}, event_types = ${event_types}, revision = revision + 1 where id = ${id}`);

export const deleteWebhook = (tx: Tx, id: string) =>
  tx.run(sql`delete from webhook_endpoints where id = ${id}`);

/** Deletes in batches. Deliveries that remain after a crash are never sent, and are purged by their age. */
export const deleteDeliveries = (db: Queryable, webhookId: string) =>
  runInBatches(() =>
    db.run(sql`
      delete from webhook_deliveries delivery
      using (select event_id from webhook_deliveries where endpoint_id = ${webhookId} limit 1000) as own
      where delivery.endpoint_id = ${webhookId} and delivery.event_id = own.event_id`),
  );

export const lockWebhooksWithOtherKey = (tx: Tx, keyVersion: number) =>
  tx.rows<WebhookRow>(
    sql`select * from webhook_endpoints where key_version <> ${keyVersion} order by id limit 100 for update`,
  );

export const saveReencryptedSecrets = (tx: Tx, id: string, secrets: Ciphertext) =>
  tx.run(
    sql`update webhook_endpoints set secrets = ${secrets.bytes}, key_version = ${secrets.version} where id = ${id}`,
  );

export const disableWebhook = (tx: Tx, id: string, reason: 'operator' | 'partner') =>
  tx.run(sql`
    update webhook_endpoints set status = 'disabled', disabled_reason = ${reason}, disabled_at = now()
    where id = ${id} and status = 'enabled'`);

/** Enables the webhook, and resets its failures and the retry schedule of its pending deliveries. */
export async function enableWebhook(tx: Tx, id: string): Promise<void> {
  await tx.run(sql`
    update webhook_endpoints
    set status = 'enabled', disabled_reason = null, disabled_at = null, failing_since = null, failures = 0,
        held_until = null
    where id = ${id}`);
  await tx.run(sql`
    update webhook_deliveries delivery set due_at = now(), tries = 0
    from (select event_id from webhook_deliveries
          where endpoint_id = ${id} and status = 'pending' and due_at > now() order by event_id for update) as pending
    where delivery.endpoint_id = ${id} and delivery.event_id = pending.event_id`);
}

export type DeliveryRow = {
  event_id: string;
  type: string;
  occurred_at: Date;
  status: DeliveryStatus;
  tries: number;
  due_at: Date;
  settled_at: Date | null;
  attempts: DeliveryAttempt[];
};

/** Sorts by event id: ids contain the creation time. */
export const buildDeliveryListQuery = (
  webhookId: string,
  status: DeliveryStatus | undefined,
): ListQuery<DeliveryRow> => ({
  select: sql`select event_id, type, occurred_at, status, tries, due_at, settled_at, attempts from webhook_deliveries`,
  where: [sql`endpoint_id = ${webhookId}`, ...(status === undefined ? [] : [sql`status = ${status}`])],
  orderBy: [sql`event_id`],
  keyOf: ({ event_id }) => [event_id],
});

export type DeliveryWithExchange = DeliveryRow & {
  last_exchange: Exchange | null;
  sequence: number | null;
  /** The data of the event as the webhook gets it; null for a test event. */
  data: object | null;
};

export const findDelivery = (db: Queryable, webhookId: string, eventId: string) =>
  db.row<DeliveryWithExchange>(sql`
    select delivery.event_id, delivery.type, delivery.occurred_at, delivery.status, delivery.tries, delivery.due_at,
           delivery.settled_at, delivery.attempts, delivery.last_exchange, event.sequence,
           case when webhook.merchant_id is null then event.data else ${omitCustomer(sql`event.data`)} end as data
    from webhook_deliveries delivery
    join webhook_endpoints webhook on webhook.id = delivery.endpoint_id
    left join partner_events event on event.partner_id = delivery.partner_id and event.position = delivery.position
    where delivery.endpoint_id = ${webhookId} and delivery.event_id = ${eventId}`);

/** Inserts the delivery of a test event, which was already attempted and is not in the partner's feed. */
export async function insertTestDelivery(
  db: Queryable,
  webhook: Pick<WebhookRow, 'id' | 'partner_id'>,
  testDelivery: {
    eventId: string;
    type: string;
    occurredAt: Date;
    status: DeliveryStatus;
    attempt: DeliveryAttempt;
    exchange: Exchange | null;
  },
): Promise<DeliveryRow> {
  const row = await db.row<DeliveryRow>(sql`
    insert into webhook_deliveries (endpoint_id, event_id, partner_id, type, occurred_at, status, tries, settled_at, attempts, last_exchange)
    values (${webhook.id}, ${testDelivery.eventId}, ${webhook.partner_id}, ${testDelivery.type}, ${testDelivery.occurredAt}, ${testDelivery.status}, 1, now(),
            ${JSON.stringify([testDelivery.attempt])}::jsonb, ${testDelivery.exchange && JSON.stringify(testDelivery.exchange)}::jsonb)
    returning event_id, type, occurred_at, status, tries, due_at, settled_at, attempts`);
  return row!;
}

/** SQL condition: the webhook may get the event, which must be of its merchant, and readable with the key that registered it. */
const isReadableBy = ({ merchant_id, scopes }: WebhookRow, event: Sql): Sql =>
  sql`(${merchant_id}::bigint is null or ${event}.merchant_id = ${merchant_id})
      and ${isReadableWith(sql`${scopes}::text[]`, event)}`;

/** Queues one event for the webhook, regardless of its event types. Returns false if the webhook may not get the event. */
export async function requeueEvent(tx: Tx, webhook: WebhookRow, eventId: string): Promise<boolean> {
  const queuedCount = await tx.run(sql`
    insert into webhook_deliveries (endpoint_id, event_id, partner_id, position, type, occurred_at)
    select ${webhook.id}, id, partner_id, position, type, occurred_at from partner_events
    where partner_id = ${webhook.partner_id} and id = ${eventId} and ${isReadableBy(webhook, sql`partner_events`)}
    on conflict (endpoint_id, event_id) do update
      set status = 'pending', tries = 0, due_at = now(), waiting_since = now(), settled_at = null`);
  return queuedCount === 1;
}

export type EventPosition = { occurred_at: Date; position: number };

/** `lastPosition` is the position of the last event that was read; null if there were no more events. */
export type RequeuedBatch = { queuedCount: number; lastPosition: EventPosition | null };

/**
 * Reads a batch of events after a position, and queues those that match the webhook. Deliveries that are still pending without an attempt
 * stay unchanged.
 */
export async function requeueEventsAfter(
  tx: Tx,
  webhook: WebhookRow,
  startPosition: EventPosition,
  limit: number,
): Promise<RequeuedBatch> {
  const row = await tx.row<{ queued_count: number; occurred_at: Date | null; position: number | null }>(sql`
    with batch as (
      select id, partner_id, position, type, occurred_at, merchant_id, unbound from partner_events
      where partner_id = ${webhook.partner_id}
        and (occurred_at, position) > (${startPosition.occurred_at}::timestamptz, ${startPosition.position}::bigint)
      order by occurred_at, position limit ${limit}),
    queued as (
      insert into webhook_deliveries as existing (endpoint_id, event_id, partner_id, position, type, occurred_at)
      select ${webhook.id}, id, partner_id, position, type, occurred_at from batch
      where (${webhook.event_types}::text[] = '{}' or type = any (${webhook.event_types}))
        and ${isReadableBy(webhook, sql`batch`)}
      order by id
      on conflict (endpoint_id, event_id) do update
        set status = 'pending', tries = 0, due_at = now(), waiting_since = now(), settled_at = null
        where existing.status <> 'pending' or existing.tries > 0
      returning 1)
    -- Returns a row even if the batch is empty.
    select (select count(*) from queued) as queued_count, last_event.occurred_at, last_event.position
    from (select) as single_row
    left join (select occurred_at, position from batch order by occurred_at desc, position desc limit 1) as last_event on true`);
  const { queued_count: queuedCount, occurred_at, position } = row!;
  return { queuedCount, lastPosition: occurred_at === null ? null : { occurred_at, position: position! } };
}

/** Returns how many seconds the oldest pending delivery of each enabled webhook has waited, longest first. */
export const listLongestWaits = (db: Queryable, limit: number) =>
  db.rows<{ id: string; seconds: number }>(sql`
    select webhook.id, extract(epoch from now() - oldest.waiting_since)::float8 as seconds
    from webhook_endpoints webhook cross join lateral (
      select waiting_since from webhook_deliveries
      where endpoint_id = webhook.id and status = 'pending' order by event_id limit 1) as oldest
    where webhook.status = 'enabled' order by oldest.waiting_since limit ${limit}`);

/** Counts the webhooks that were disabled automatically. */
export const countAutoDisabledWebhooks = async (db: Queryable) =>
  (await db.value<number>(sql`
    select count(*) from webhook_endpoints where status = 'disabled' and disabled_reason in ('gone', 'failing')`))!;
