import { Type } from 'typebox';
import { findPartner } from '#partners';
import { lockKey } from '#platform/database/advisory-locks.ts';
import { columns, type RowOf, type TableRow } from '#platform/database/columns.ts';
import { purgeInBatches, type Queryable, type Sql, sql, type Tx } from '#platform/database/db.ts';
import { buildListQuery, defineList, filterBy } from '#platform/http/list.ts';
import type { ListQuery } from '#platform/http/list-query.ts';
import { Text } from '#platform/http/schemas.ts';
import { omit } from '#platform/omit.ts';
import type { Ciphertext } from '#platform/vault.ts';
import { webhook_endpoints } from '../generated/tables.ts';
import { type DeliveryStatus, dataForMerchant, isReadableWith } from '../publish-store.ts';
import { ENDPOINT_STATUSES } from './schemas.ts';
import type { DeliveryAttempt, Exchange } from './sender.ts';

/** The columns of a new endpoint. The others have defaults. */
const insertColumns = columns(
  omit(
    webhook_endpoints,
    ...(['status', 'disabled_reason', 'disabled_at', 'old_secret_until', 'revision'] as const),
    ...(['failing_since', 'failures', 'held_until'] as const),
  ),
);

export type EndpointRow = TableRow<typeof webhook_endpoints>;

export const insertEndpoint = (tx: Tx, endpoint: RowOf<typeof insertColumns>) =>
  tx.run(sql`insert into webhook_endpoints ${insertColumns.values(endpoint)}`);

/** Also serializes the creation of endpoints of the same partner. */
export async function countEndpoints(tx: Tx, partnerId: string): Promise<number> {
  await lockKey(tx, 'webhooks', partnerId);
  const row = await tx.row<{ count: number }>(
    sql`select count(*) from webhook_endpoints where partner_id = ${partnerId}`,
  );
  return row!.count;
}

/** Which endpoints an API key manages. */
export type EndpointOwner = {
  readonly partnerId: string;
  /** The merchant that the key is bound to, whose endpoints it manages. Null: it manages the endpoints without a merchant. */
  readonly merchantId: number | null;
  /** The key manages only endpoints that were registered with these scopes or fewer. Null: no restriction. */
  readonly scopes: readonly string[] | null;
};

const isOwnedBy = ({ partnerId, merchantId, scopes }: EndpointOwner): Sql => sql`
  partner_id = ${partnerId} and merchant_id is not distinct from ${merchantId}::bigint
  and (${scopes}::text[] is null or scopes <@ ${scopes}::text[])`;

/** Staff users find the endpoints of all owners. */
export const findEndpoint = (db: Queryable, id: string, owner?: EndpointOwner) =>
  db.row<EndpointRow>(
    sql`select * from webhook_endpoints where id = ${id} and ${owner ? isOwnedBy(owner) : sql`true`}`,
  );

export const lockEndpoint = (tx: Tx, id: string) =>
  tx.row<EndpointRow>(sql`select * from webhook_endpoints where id = ${id} for update`);

/** Sorted by id: ids contain the creation time. */
export const endpointList = defineList({
  select: sql`select * from webhook_endpoints`,
  filters: {
    partner: {
      schema: Text(120, { description: 'Id or name of a partner.' }),
      resolve: async (partner: string, db: Queryable) => (await findPartner(db, partner))?.id ?? partner,
      where: (id: string) => sql`partner_id = ${id}`,
    },
    status: filterBy(Type.Enum([...ENDPOINT_STATUSES]), sql`status`),
  },
  orderBy: [sql`id`],
  keyOf: ({ id }: EndpointRow) => [id],
});

export function buildOwnEndpointListQuery(
  owner: EndpointOwner,
  status: EndpointRow['status'] | undefined,
  now: Date,
): ListQuery<EndpointRow> {
  const query = buildListQuery(endpointList, { status }, now);
  return { ...query, where: [isOwnedBy(owner), ...query.where] };
}

export const listEndpointsById = (db: Queryable, ids: readonly string[]) =>
  db.rows<EndpointRow>(sql`select * from webhook_endpoints where id = any (${ids})`);

export const saveRotatedSecrets = (tx: Tx, id: string, encrypted: Ciphertext, overlapHours: number) =>
  tx.run(sql`
    update webhook_endpoints
    set secrets = ${encrypted.bytes}, key_version = ${encrypted.version}, revision = revision + 1,
        old_secret_until = now() + ${overlapHours}::int * interval '1 hour'
    where id = ${id}`);

export const saveTarget = (
  tx: Tx,
  id: string,
  { url, event_types }: Pick<EndpointRow, 'url' | 'event_types'>,
) =>
  tx.run(sql`
    update webhook_endpoints set url = ${url}, event_types = ${event_types}, revision = revision + 1 where id = ${id}`);

export const deleteEndpoint = (tx: Tx, id: string) =>
  tx.run(sql`delete from webhook_endpoints where id = ${id}`);

/** Deliveries that are left after a crash are never sent, and purged by their age. */
export const deleteDeliveries = (db: Queryable, endpointId: string) =>
  purgeInBatches(() =>
    db.run(sql`
      delete from webhook_deliveries d
      using (select event_id from webhook_deliveries where endpoint_id = ${endpointId} limit 1000) as own
      where d.endpoint_id = ${endpointId} and d.event_id = own.event_id`),
  );

export const lockEndpointsWithOtherKey = (tx: Tx, version: number) =>
  tx.rows<EndpointRow>(
    sql`select * from webhook_endpoints where key_version <> ${version} order by id limit 100 for update`,
  );

export const saveReencryptedSecrets = (tx: Tx, id: string, encrypted: Ciphertext) =>
  tx.run(
    sql`update webhook_endpoints set secrets = ${encrypted.bytes}, key_version = ${encrypted.version} where id = ${id}`,
  );

export const saveDisabled = (tx: Tx, id: string, reason: 'operator' | 'partner') =>
  tx.run(sql`
    update webhook_endpoints set status = 'disabled', disabled_reason = ${reason}, disabled_at = now()
    where id = ${id} and status = 'enabled'`);

/** Also resets the endpoint's failures and the retry schedule of pending deliveries. */
export async function saveEnabled(tx: Tx, id: string): Promise<void> {
  await tx.run(sql`
    update webhook_endpoints
    set status = 'enabled', disabled_reason = null, disabled_at = null, failing_since = null, failures = 0,
        held_until = null
    where id = ${id}`);
  await tx.run(sql`
    update webhook_deliveries d set due_at = now(), tries = 0
    from (select event_id from webhook_deliveries
          where endpoint_id = ${id} and status = 'pending' and due_at > now() order by event_id for update) as pending
    where d.endpoint_id = ${id} and d.event_id = pending.event_id`);
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

/** Sorted by event id: ids contain the creation time. */
export const buildDeliveryListQuery = (
  endpointId: string,
  status: DeliveryStatus | undefined,
): ListQuery<DeliveryRow> => ({
  select: sql`select event_id, type, occurred_at, status, tries, due_at, settled_at, attempts from webhook_deliveries`,
  where: [sql`endpoint_id = ${endpointId}`, ...(status === undefined ? [] : [sql`status = ${status}`])],
  orderBy: [sql`event_id`],
  keyOf: ({ event_id }) => [event_id],
});

export type DeliveryWithExchange = DeliveryRow & {
  last_exchange: Exchange | null;
  sequence: number | null;
  /** The data of the event as the endpoint gets it; null for a test event. */
  data: object | null;
};

export const findDelivery = (db: Queryable, endpointId: string, eventId: string) =>
  db.row<DeliveryWithExchange>(sql`
    select d.event_id, d.type, d.occurred_at, d.status, d.tries, d.due_at, d.settled_at, d.attempts, d.last_exchange,
           e.sequence, case when w.merchant_id is null then e.data else ${dataForMerchant} end as data
    from webhook_deliveries d
    join webhook_endpoints w on w.id = d.endpoint_id
    left join partner_events e on e.partner_id = d.partner_id and e.position = d.position
    where d.endpoint_id = ${endpointId} and d.event_id = ${eventId}`);

/** Inserts the delivery of a test event, which was already attempted and is not in the partner's feed. */
export async function insertTestDelivery(
  db: Queryable,
  endpoint: Pick<EndpointRow, 'id' | 'partner_id'>,
  test: {
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
    values (${endpoint.id}, ${test.eventId}, ${endpoint.partner_id}, ${test.type}, ${test.occurredAt}, ${test.status}, 1, now(),
            ${JSON.stringify([test.attempt])}::jsonb, ${test.exchange && JSON.stringify(test.exchange)}::jsonb)
    returning event_id, type, occurred_at, status, tries, due_at, settled_at, attempts`);
  return row!;
}

/** Whether the endpoint may get the event: it must be of the endpoint's merchant, and readable with the key that registered it. */
const isReadableBy = ({ merchant_id, scopes }: EndpointRow, event: Sql): Sql =>
  sql`(${merchant_id}::bigint is null or ${event}.merchant_id = ${merchant_id})
      and ${isReadableWith(sql`${scopes}::text[]`, event)}`;

/** Queues one event for the endpoint, regardless of its event types. */
export async function requeueEvent(tx: Tx, endpoint: EndpointRow, eventId: string): Promise<boolean> {
  const queued = await tx.run(sql`
    insert into webhook_deliveries as d (endpoint_id, event_id, partner_id, position, type, occurred_at)
    select ${endpoint.id}, id, partner_id, position, type, occurred_at from partner_events e
    where partner_id = ${endpoint.partner_id} and id = ${eventId} and ${isReadableBy(endpoint, sql`e`)}
    on conflict (endpoint_id, event_id) do update
      set status = 'pending', tries = 0, due_at = now(), waiting_since = now(), settled_at = null`);
  return queued === 1;
}

export type EventPosition = { occurred_at: Date; position: number };

/**
 * Queues a batch of the events after a position that match the endpoint, and returns the position at which the batch ended. Deliveries
 * that are still pending without an attempt stay unchanged.
 */
export async function requeueEventsAfter(tx: Tx, endpoint: EndpointRow, start: EventPosition, limit: number) {
  const row = await tx.row<{ queued: number; occurred_at: Date | null; position: number | null }>(sql`
    with batch as (
      select id, partner_id, position, type, occurred_at, merchant_id, unbound from partner_events
      where partner_id = ${endpoint.partner_id}
        and (occurred_at, position) > (${start.occurred_at}::timestamptz, ${start.position}::bigint)
      order by occurred_at, position limit ${limit}),
    queued as (
      insert into webhook_deliveries as d (endpoint_id, event_id, partner_id, position, type, occurred_at)
      select ${endpoint.id}, id, partner_id, position, type, occurred_at from batch
      where (${endpoint.event_types}::text[] = '{}' or type = any (${endpoint.event_types}))
        and ${isReadableBy(endpoint, sql`batch`)}
      order by id
      on conflict (endpoint_id, event_id) do update
        set status = 'pending', tries = 0, due_at = now(), waiting_since = now(), settled_at = null
        where d.status <> 'pending' or d.tries > 0
      returning 1)
    select (select count(*) from queued) as queued, l.occurred_at, l.position
    from (select) as always
    left join (select occurred_at, position from batch order by occurred_at desc, position desc limit 1) as l on true`);
  const { queued, occurred_at, position } = row!;
  return { queued, lastPosition: occurred_at && { occurred_at, position: position! } };
}

/** Returns how many seconds the oldest pending delivery of each enabled endpoint has waited, longest first. */
export const listOldestPending = (db: Queryable, limit: number) =>
  db.rows<{ id: string; seconds: number }>(sql`
    select e.id, extract(epoch from now() - d.waiting_since)::float8 as seconds
    from webhook_endpoints e cross join lateral (
      select waiting_since from webhook_deliveries
      where endpoint_id = e.id and status = 'pending' order by event_id limit 1) as d
    where e.status = 'enabled' order by d.waiting_since limit ${limit}`);

/** Counts the endpoints that were disabled automatically. */
export const countAutoDisabled = async (db: Queryable) =>
  (await db.value<number>(sql`
    select count(*) as n from webhook_endpoints where status = 'disabled' and disabled_reason in ('gone', 'failing')`))!;
