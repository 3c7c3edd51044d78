import { lockKey } from '#platform/database/advisory-locks.ts';
import { column, columns, type RowOf } from '#platform/database/columns.ts';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import type { Listing } from '#platform/http/listing.ts';
import type { Sealed } from '#platform/vault.ts';
import type { DeliveryStatus } from '../publish-store.ts';
import type { DeliveryAttempt } from './sender.ts';

type EndpointStatus = 'enabled' | 'disabled';

const newEndpoints = columns({
  id: column.text(),
  partner_id: column.text(),
  url: column.text(),
  event_types: column.textArray(),
  merchant_id: column.bigint().nullable(),
  merchant_slug: column.text().nullable(),
  created_at: column.timestamptz(),
  secrets: column.bytea(),
  key_version: column.integer(),
});

export type EndpointRow = RowOf<typeof newEndpoints> & {
  status: EndpointStatus;
  disabled_reason: string | null;
  disabled_at: Date | null;
  old_secret_until: Date | null;
  failing_since: Date | null;
  revision: number;
};

export const insertEndpoint = (tx: Tx, endpoint: RowOf<typeof newEndpoints>) =>
  tx.run(sql`insert into webhook_endpoints ${newEndpoints.values(endpoint)}`);

/** Serializes additions to the same partner. */
export async function countEndpoints(tx: Tx, partnerId: string): Promise<number> {
  await lockKey(tx, 'webhooks', partnerId);
  const row = await tx.row<{ count: number }>(
    sql`select count(*) from webhook_endpoints where partner_id = ${partnerId}`,
  );
  return row!.count;
}

export const findEndpoint = (db: Queryable, id: string) =>
  db.row<EndpointRow>(sql`select * from webhook_endpoints where id = ${id}`);

export const lockEndpoint = (tx: Tx, id: string) =>
  tx.row<EndpointRow>(sql`select * from webhook_endpoints where id = ${id} for update`);

type EndpointFilter = { partnerId?: string | undefined; status?: EndpointStatus | undefined };

/** Ids sort by time. */
export const listedEndpoints = ({ partnerId, status }: EndpointFilter): Listing<EndpointRow> => ({
  of: sql`select * from webhook_endpoints`,
  where: [
    ...(partnerId === undefined ? [] : [sql`partner_id = ${partnerId}`]),
    ...(status === undefined ? [] : [sql`status = ${status}`]),
  ],
  by: [sql`id`],
  keyOf: ({ id }) => [id],
});

export const listTargets = (db: Queryable, ids: readonly string[]) =>
  db.rows<EndpointRow>(sql`select * from webhook_endpoints where id = any (${ids})`);

export const markSecrets = (tx: Tx, id: string, sealed: Sealed, overlapHours: number) =>
  tx.run(sql`
    update webhook_endpoints
    set secrets = ${sealed.bytes}, key_version = ${sealed.version}, revision = revision + 1,
        old_secret_until = now() + ${overlapHours}::int * interval '1 hour'
    where id = ${id}`);

export const listSealedOtherwise = (tx: Tx, version: number) =>
  tx.rows<EndpointRow>(
    sql`select * from webhook_endpoints where key_version <> ${version} order by id limit 100 for update`,
  );

export const markResealed = (tx: Tx, id: string, sealed: Sealed) =>
  tx.run(
    sql`update webhook_endpoints set secrets = ${sealed.bytes}, key_version = ${sealed.version} where id = ${id}`,
  );

export const markDisabled = (tx: Tx, id: string) =>
  tx.run(sql`
    update webhook_endpoints set status = 'disabled', disabled_reason = 'operator', disabled_at = now()
    where id = ${id} and status = 'enabled'`);

/** Resets the endpoint's failures, and the retry timetable of what is pending. */
export async function markEnabled(tx: Tx, id: string): Promise<void> {
  await tx.run(sql`
    update webhook_endpoints
    set status = 'enabled', disabled_reason = null, disabled_at = null, failing_since = null, failures = 0,
        held_until = null
    where id = ${id}`);
  await tx.run(sql`
    update webhook_deliveries d set due_at = now(), tries = 0
    from (select event_id from webhook_deliveries
          where endpoint_id = ${id} and status = 'pending' and due_at > now() order by event_id for update) as waiting
    where d.endpoint_id = ${id} and d.event_id = waiting.event_id`);
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

/** Ids of events sort by time. */
export const listedDeliveries = (
  endpointId: string,
  status: DeliveryStatus | undefined,
): Listing<DeliveryRow> => ({
  of: sql`select event_id, type, occurred_at, status, tries, due_at, settled_at, attempts from webhook_deliveries`,
  where: [sql`endpoint_id = ${endpointId}`, ...(status === undefined ? [] : [sql`status = ${status}`])],
  by: [sql`event_id`],
  keyOf: ({ event_id }) => [event_id],
});

/** A delivery that is not an event of the partner: it was tried already. */
export async function insertTest(
  db: Queryable,
  endpoint: Pick<EndpointRow, 'id' | 'partner_id'>,
  test: { eventId: string; type: string; at: Date; status: DeliveryStatus; attempt: DeliveryAttempt },
): Promise<DeliveryRow> {
  const row = await db.row<DeliveryRow>(sql`
    insert into webhook_deliveries (endpoint_id, event_id, partner_id, type, occurred_at, status, tries, settled_at, attempts)
    values (${endpoint.id}, ${test.eventId}, ${endpoint.partner_id}, ${test.type}, ${test.at}, ${test.status}, 1, now(),
            ${JSON.stringify([test.attempt])}::jsonb)
    returning event_id, type, occurred_at, status, tries, due_at, settled_at, attempts`);
  return row!;
}

/** Queues one event for the endpoint, whatever its event types. An endpoint of a merchant gets only that merchant's events. */
export async function requeueOne(tx: Tx, endpoint: EndpointRow, eventId: string): Promise<boolean> {
  const queued = await tx.run(sql`
    insert into webhook_deliveries as d (endpoint_id, event_id, partner_id, position, type, occurred_at)
    select ${endpoint.id}, id, partner_id, position, type, occurred_at from partner_events
    where partner_id = ${endpoint.partner_id} and id = ${eventId}
      and (${endpoint.merchant_id}::bigint is null or merchant_id = ${endpoint.merchant_id})
    on conflict (endpoint_id, event_id) do update
      set status = 'pending', tries = 0, due_at = now(), waiting_since = now(), settled_at = null`);
  return queued === 1;
}

export type Place = { occurred_at: Date; position: number };

/**
 * Queues a batch of the events after a position that the endpoint wants, and returns where the batch ended. Deliveries that wait
 * for their first try are left unchanged.
 */
export async function requeueSome(tx: Tx, endpoint: EndpointRow, after: Place, limit: number) {
  const row = await tx.row<{ queued: number; occurred_at: Date | null; position: number | null }>(sql`
    with told as (
      select id, partner_id, position, type, occurred_at, merchant_id from partner_events
      where partner_id = ${endpoint.partner_id}
        and (occurred_at, position) > (${after.occurred_at}::timestamptz, ${after.position}::bigint)
      order by occurred_at, position limit ${limit}),
    queued as (
      insert into webhook_deliveries as d (endpoint_id, event_id, partner_id, position, type, occurred_at)
      select ${endpoint.id}, id, partner_id, position, type, occurred_at from told
      where (${endpoint.event_types}::text[] = '{}' or type = any (${endpoint.event_types}))
        and (${endpoint.merchant_id}::bigint is null or merchant_id = ${endpoint.merchant_id})
      order by id
      on conflict (endpoint_id, event_id) do update
        set status = 'pending', tries = 0, due_at = now(), waiting_since = now(), settled_at = null
        where d.status <> 'pending' or d.tries > 0
      returning 1)
    select (select count(*) from queued) as queued, l.occurred_at, l.position
    from (select) as always
    left join (select occurred_at, position from told order by occurred_at desc, position desc limit 1) as l on true`);
  const { queued, occurred_at, position } = row!;
  return { queued, last: occurred_at && { occurred_at, position: position! } };
}

/** Seconds that the oldest pending delivery of each enabled endpoint has waited, longest first. */
export const listOldestWaiting = (db: Queryable, limit: number) =>
  db.rows<{ id: string; seconds: number }>(sql`
    select e.id, extract(epoch from now() - d.waiting_since)::float8 as seconds
    from webhook_endpoints e cross join lateral (
      select waiting_since from webhook_deliveries
      where endpoint_id = e.id and status = 'pending' order by event_id limit 1) as d
    where e.status = 'enabled' order by d.waiting_since limit ${limit}`);

/** Endpoints that were switched off because they failed, or are gone. */
export async function countSwitchedOff(db: Queryable): Promise<number> {
  const row = await db.row<{ n: number }>(sql`
    select count(*) as n from webhook_endpoints where status = 'disabled' and disabled_reason in ('gone', 'failing')`);
  return row!.n;
}
