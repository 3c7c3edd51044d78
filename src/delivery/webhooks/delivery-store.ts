import { insertGlobalEventsFrom, type WrittenEvent } from '#events';
import { type Db, type Queryable, sql } from '#platform/database/db.ts';
import { pluck } from '#platform/database/pluck.ts';
import type { DeliveryAttempt } from './sender.ts';
import { FAILING_DAYS, FAILURES_TO_PROBE, LONGEST_HOLD_MS } from './timetable.ts';

export type ClaimedDelivery = Omit<WrittenEvent, 'id' | 'position'> & {
  endpoint_id: string;
  /** Of the endpoint. */
  revision: number;
  event_id: string;
  tries: number;
};

/** Endpoints that have something due and may be called. */
export async function listDueEndpoints(db: Queryable): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select e.id from webhook_endpoints e
    where e.status = 'enabled' and coalesce(e.held_until <= now(), true)
      and exists (select from webhook_deliveries d
                  where d.endpoint_id = e.id and d.status = 'pending' and d.due_at <= now())`);
  return rows.map(({ id }) => id);
}

/**
 * Leases due deliveries of some endpoints to the caller, at most `room` of each. No other caller gets them before the lease
 * ends. An endpoint that keeps failing gets one delivery at a time, and none during its backoff. The commit is asynchronous:
 * a lease that a crash of the database loses is a second delivery, no more.
 */
export const claimDeliveries = (
  db: Db,
  wanted: ReadonlyArray<{ endpointId: string; room: number }>,
  leaseMs: number,
) =>
  db.rows<ClaimedDelivery>(sql`
    with wanted as (
      select * from unnest(${wanted.map(({ endpointId }) => endpointId)}::text[],
                           ${wanted.map(({ room }) => room)}::int[]) as w (id, room)),
    -- Endpoints that are being settled are skipped: to wait for their locks here could deadlock.
    free as (
      select e.id from webhook_endpoints e join wanted w using (id)
      where e.status = 'enabled' and e.failures >= ${FAILURES_TO_PROBE} and e.held_until <= now()
        and exists (select from webhook_deliveries d
                    where d.endpoint_id = e.id and d.status = 'pending' and d.due_at <= now())
      for update of e skip locked),
    probed as (
      update webhook_endpoints e set held_until = now() + ${leaseMs}::float8 * interval '1 millisecond'
      from free where e.id = free.id
      returning e.id),
    allowed as (
      select e.id, e.revision, case when p.id is null then w.room else 1 end as room
      from wanted w join webhook_endpoints e on e.id = w.id left join probed p on p.id = w.id
      where e.status = 'enabled'
        and (p.id is not null or e.failures < ${FAILURES_TO_PROBE} and coalesce(e.held_until <= now(), true))),
    due as (
      select a.id, a.revision, d.event_id
      from allowed a cross join lateral (
        select event_id from webhook_deliveries
        where endpoint_id = a.id and status = 'pending' and due_at <= now()
        order by due_at, position limit a.room for update skip locked) as d),
    claimed as (
      update webhook_deliveries d set due_at = now() + ${leaseMs}::float8 * interval '1 millisecond'
      from due where d.endpoint_id = due.id and d.event_id = due.event_id
      returning d.endpoint_id, due.revision, d.event_id, d.tries, d.partner_id, d.position)
    select c.endpoint_id, c.revision, c.event_id, c.tries, e.type, e.occurred_at, e.sequence, e.data,
           set_config('synchronous_commit', 'off', true)
    from claimed c join partner_events e on e.partner_id = c.partner_id and e.position = c.position
    order by c.position`);

export type Settled = {
  endpointId: string;
  eventId: string;
  status: 'pending' | 'delivered' | 'failed';
  waitMs: number;
  /** null: no attempt was made. */
  attempt: DeliveryAttempt | null;
};

/** What a batch of deliveries shows about an endpoint. */
export type Health = {
  endpointId: string;
  /** Something was delivered. */
  isWell: boolean;
  /** The receiver answered 410. */
  isGone: boolean;
  holdMs: number;
  /** The id of the event `webhook.disabled`, if it comes to that. */
  eventId: string;
};

type Disabled = { id: string; partner_id: string; disabled_reason: 'gone' | 'failing' };

const MOST_ATTEMPTS_KEPT = 24;

/** Records the outcome of deliveries and the health of their endpoints. Returns the endpoints that this disables. */
export async function settleDeliveries(
  db: Db,
  settled: readonly Settled[],
  health: readonly Health[],
  now: Date,
): Promise<Disabled[]> {
  const rows = await db.rows<{ [K in keyof Disabled]: Disabled[K] | null }>(sql`
    with outcomes as (${lockOutcomes(settled)}),
    settled as (${updateDeliveries}),
    health as (${healthRows(health)}),
    changed as materialized (${lockChangedEndpoints}),
    updated as (${updateEndpoints}),
    announced as (${announceDisabled(now)})
    select u.id, u.partner_id, u.disabled_reason, set_config('synchronous_commit', 'off', true)
    from (select) as always left join updated u on u.disabled_reason is not null`);
  return rows.filter((row): row is Disabled => row.id !== null);
}

// The steps of `settleDeliveries`: each is a part of its statement and reads the parts before it.

/** Locks in the order in which a replay locks, so that the two cannot deadlock. */
const lockOutcomes = (settled: readonly Settled[]) => sql`
  select s.*
  from unnest(${pluck(settled, 'endpointId')}::text[], ${pluck(settled, 'eventId')}::text[],
              ${pluck(settled, 'status')}::text[], ${pluck(settled, 'waitMs')}::float8[],
              ${settled.map(({ attempt }) => attempt && JSON.stringify(attempt))}::jsonb[])
         as s (endpoint_id, event_id, status, wait_ms, attempt)
  join webhook_deliveries d using (endpoint_id, event_id)
  order by endpoint_id, event_id for update of d`;

/** Keeps the newest attempts. A delivery that has ended stays ended, unless it turns out delivered. */
const updateDeliveries = sql`
  update webhook_deliveries d set
    status = s.status,
    tries = d.tries + (s.attempt is not null)::int,
    due_at = now() + s.wait_ms * interval '1 millisecond',
    settled_at = case when s.status <> 'pending' then now() end,
    attempts = case when s.attempt is null then d.attempts
                    when jsonb_array_length(d.attempts) < ${MOST_ATTEMPTS_KEPT} then d.attempts || s.attempt
                    else (d.attempts - 0) || s.attempt end
  from outcomes s
  where d.endpoint_id = s.endpoint_id and d.event_id = s.event_id
    and (d.status = 'pending' or s.status = 'delivered')`;

const healthRows = (health: readonly Health[]) => sql`
  select * from unnest(${pluck(health, 'endpointId')}::text[], ${pluck(health, 'isWell')}::boolean[],
                       ${pluck(health, 'isGone')}::boolean[], ${pluck(health, 'holdMs')}::float8[],
                       ${pluck(health, 'eventId')}::text[]) as h (id, well, gone, hold_ms, event_id)`;

/**
 * Endpoints that the health changes. `asked_until`: the receiver asked for a pause. `backoff_until`: exponential backoff with
 * jitter after repeated failures. `ends`: why the endpoint is disabled.
 */
const lockChangedEndpoints = sql`
  select e.id, h.well, h.gone, h.event_id,
         case when h.hold_ms > 0 then now() + h.hold_ms * interval '1 millisecond' end as asked_until,
         case when not h.well and e.failures + 1 >= ${FAILURES_TO_PROBE} then
           now() + least(${LONGEST_HOLD_MS}::float8, 1000 * power(2, least(20, e.failures + 1 - ${FAILURES_TO_PROBE}::int)))
                   * (0.9 + 0.2 * random()) * interval '1 millisecond' end as backoff_until,
         case when h.gone then 'gone'
              when not h.well and e.failing_since < now() - ${FAILING_DAYS}::int * interval '1 day' then 'failing'
         end as ends
  from webhook_endpoints e join health h using (id)
  where e.status = 'enabled' and (not h.well or h.gone or h.hold_ms > 0 or e.failing_since is not null)
  order by e.id for update of e`;

const updateEndpoints = sql`
  update webhook_endpoints e set
    failing_since = case when not c.well then coalesce(e.failing_since, now()) end,
    failures = case when c.well then 0 else e.failures + 1 end,
    held_until = greatest(c.asked_until, c.backoff_until),
    status = case when c.ends is null then 'enabled' else 'disabled' end,
    disabled_reason = c.ends,
    disabled_at = case when c.ends is not null then now() end
  from changed c where e.id = c.id
  returning e.id, e.partner_id, e.url, e.disabled_reason, c.event_id`;

const announceDisabled = (now: Date) =>
  insertGlobalEventsFrom(sql`
    select event_id, 'webhook.disabled',
           jsonb_build_object('id', id, 'partner_id', partner_id, 'url', url, 'reason', disabled_reason), ${now}
    from updated where disabled_reason is not null`);
