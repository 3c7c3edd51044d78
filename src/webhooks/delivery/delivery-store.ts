import { insertGlobalEventsFrom, type StoredEvent } from '#events';
import { type Db, pluck, type Queryable, sql } from '#platform/database/db.ts';
import { dataForMerchant } from '../publish-store.ts';
import { FAILING_DAYS, FAILURES_BEFORE_PROBING, MAX_BACKOFF_MS } from './retry-schedule.ts';
import type { DeliveryAttempt, Exchange } from './sender.ts';

export type ClaimedDelivery = Omit<StoredEvent, 'id' | 'position'> & {
  endpoint_id: string;
  /** The revision of the webhook. */
  revision: number;
  event_id: string;
  tries: number;
};

/** Lists webhooks that have due deliveries and may be called. */
export const listDueWebhooks = (db: Queryable) =>
  db.values<string>(sql`
    select e.id from webhook_endpoints e
    where e.status = 'enabled' and coalesce(e.held_until <= now(), true)
      and exists (select from webhook_deliveries d
                  where d.endpoint_id = e.id and d.status = 'pending' and d.due_at <= now())`);

/**
 * Leases due deliveries of some webhooks to the caller, at most `room` of each. No other caller gets them before the lease ends. A
 * webhook that keeps failing gets one delivery at a time, and none during its backoff. The commit is asynchronous: if a database
 * crash loses a lease, the only consequence is a duplicate delivery.
 */
export const claimDeliveries = (
  db: Db,
  requests: ReadonlyArray<{ webhookId: string; room: number }>,
  leaseMs: number,
) =>
  db.rows<ClaimedDelivery>(sql`
    with requests as (
      select * from unnest(${pluck(requests, 'webhookId')}::text[],
                           ${pluck(requests, 'room')}::int[]) as w (id, room)),
    -- Skips webhooks whose outcomes are being saved: waiting for their locks could deadlock.
    free as (
      select e.id from webhook_endpoints e join requests w using (id)
      where e.status = 'enabled' and e.failures >= ${FAILURES_BEFORE_PROBING} and e.held_until <= now()
        and exists (select from webhook_deliveries d
                    where d.endpoint_id = e.id and d.status = 'pending' and d.due_at <= now())
      for update of e skip locked),
    probed as (
      update webhook_endpoints e set held_until = now() + ${leaseMs}::float8 * interval '1 millisecond'
      from free where e.id = free.id
      returning e.id),
    allowed as (
      select e.id, e.revision, case when p.id is null then w.room else 1 end as room
      from requests w join webhook_endpoints e on e.id = w.id left join probed p on p.id = w.id
      where e.status = 'enabled'
        and (p.id is not null or e.failures < ${FAILURES_BEFORE_PROBING} and coalesce(e.held_until <= now(), true))),
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
    select c.endpoint_id, c.revision, c.event_id, c.tries, e.type, e.occurred_at, e.sequence,
           case when w.merchant_id is null then e.data else ${dataForMerchant} end as data,
           set_config('synchronous_commit', 'off', true)
    from claimed c join partner_events e on e.partner_id = c.partner_id and e.position = c.position
    join webhook_endpoints w on w.id = c.endpoint_id
    order by c.position`);

export type DeliveryOutcome = {
  webhookId: string;
  eventId: string;
  status: 'pending' | 'delivered' | 'failed';
  /** The delay until the next attempt. */
  delayMs: number;
  /** null if no attempt was made. */
  attempt: DeliveryAttempt | null;
  /** null if nothing was sent. */
  exchange: Exchange | null;
};

/** The health of a webhook, judged by a batch of deliveries. */
export type WebhookHealth = {
  webhookId: string;
  hasSuccess: boolean;
  /** The receiver responded with 410. */
  isGone: boolean;
  /** The longest Retry-After of failed calls; 0 if there was none. */
  retryAfterMs: number;
  /** The id of the event `webhook.disabled`, if the webhook gets disabled. */
  eventId: string;
};

type DisabledWebhook = { id: string; partner_id: string; disabled_reason: 'gone' | 'failing' };

const MAX_STORED_ATTEMPTS = 24;

/** Saves the outcomes of deliveries and the health of their webhooks. Returns the webhooks that this disables. */
export async function settleDeliveries(
  db: Db,
  outcomes: readonly DeliveryOutcome[],
  health: readonly WebhookHealth[],
  now: Date,
): Promise<DisabledWebhook[]> {
  const rows = await db.rows<{ [K in keyof DisabledWebhook]: DisabledWebhook[K] | null }>(sql`
    with outcomes as (${lockOutcomes(outcomes)}),
    settled as (${updateDeliveries}),
    health as (${selectHealth(health)}),
    changed as materialized (${lockChangedWebhooks}),
    updated as (${updateWebhooks}),
    announced as (${announceDisabled(now)})
    select u.id, u.partner_id, u.disabled_reason, set_config('synchronous_commit', 'off', true)
    from (select) as always left join updated u on u.disabled_reason is not null`);
  return rows.filter((row): row is DisabledWebhook => row.id !== null);
}

// The steps of the statement of `settleDeliveries`. Each step reads the results of the previous ones.

/** Locks in the same order as a replay, so that the two cannot deadlock. */
const lockOutcomes = (outcomes: readonly DeliveryOutcome[]) => sql`
  select s.*
  from unnest(${pluck(outcomes, 'webhookId')}::text[], ${pluck(outcomes, 'eventId')}::text[],
              ${pluck(outcomes, 'status')}::text[], ${pluck(outcomes, 'delayMs')}::float8[],
              ${outcomes.map(({ attempt }) => attempt && JSON.stringify(attempt))}::jsonb[],
              ${outcomes.map(({ exchange }) => exchange && JSON.stringify(exchange))}::jsonb[])
         as s (endpoint_id, event_id, status, delay_ms, attempt, exchange)
  join webhook_deliveries d using (endpoint_id, event_id)
  order by endpoint_id, event_id for update of d`;

/** Retains the newest attempts. A failed delivery stays failed, unless an attempt succeeds. */
const updateDeliveries = sql`
  update webhook_deliveries d set
    status = s.status,
    tries = d.tries + (s.attempt is not null)::int,
    due_at = now() + s.delay_ms * interval '1 millisecond',
    settled_at = case when s.status <> 'pending' then now() end,
    last_exchange = coalesce(s.exchange, d.last_exchange),
    attempts = case when s.attempt is null then d.attempts
                    when jsonb_array_length(d.attempts) < ${MAX_STORED_ATTEMPTS} then d.attempts || s.attempt
                    else (d.attempts - 0) || s.attempt end
  from outcomes s
  where d.endpoint_id = s.endpoint_id and d.event_id = s.event_id
    and (d.status = 'pending' or s.status = 'delivered')`;

const selectHealth = (health: readonly WebhookHealth[]) => sql`
  select * from unnest(${pluck(health, 'webhookId')}::text[], ${pluck(health, 'hasSuccess')}::boolean[],
                       ${pluck(health, 'isGone')}::boolean[], ${pluck(health, 'retryAfterMs')}::float8[],
                       ${pluck(health, 'eventId')}::text[]) as h (id, has_success, is_gone, retry_after_ms, event_id)`;

/**
 * Locks the webhooks whose health changes. `pause_until`: from the receiver's Retry-After. `backoff_until`: exponential backoff
 * with jitter after repeated failures. `disabled_reason`: why the webhook gets disabled.
 */
const lockChangedWebhooks = sql`
  select e.id, h.has_success, h.event_id,
         case when h.retry_after_ms > 0 then now() + h.retry_after_ms * interval '1 millisecond' end as pause_until,
         case when not h.has_success and e.failures + 1 >= ${FAILURES_BEFORE_PROBING} then
           now() + least(${MAX_BACKOFF_MS}::float8, 1000 * power(2, least(20, e.failures + 1 - ${FAILURES_BEFORE_PROBING}::int)))
                   * (0.9 + 0.2 * random()) * interval '1 millisecond' end as backoff_until,
         case when h.is_gone then 'gone'
              when not h.has_success and e.failing_since < now() - ${FAILING_DAYS}::int * interval '1 day' then 'failing'
         end as disabled_reason
  from webhook_endpoints e join health h using (id)
  where e.status = 'enabled' and (not h.has_success or h.is_gone or h.retry_after_ms > 0 or e.failing_since is not null)
  order by e.id for update of e`;

const updateWebhooks = sql`
  update webhook_endpoints e set
    failing_since = case when not c.has_success then coalesce(e.failing_since, now()) end,
    failures = case when c.has_success then 0 else e.failures + 1 end,
    held_until = greatest(c.pause_until, c.backoff_until),
    status = case when c.disabled_reason is null then 'enabled' else 'disabled' end,
    disabled_reason = c.disabled_reason,
    disabled_at = case when c.disabled_reason is not null then now() end
  from changed c where e.id = c.id
  returning e.id, e.partner_id, e.url, e.disabled_reason, c.event_id`;

const announceDisabled = (now: Date) =>
  insertGlobalEventsFrom(sql`
    select event_id, 'webhook.disabled',
           jsonb_build_object('id', id, 'partner_id', partner_id, 'url', url, 'reason', disabled_reason), ${now}
    from updated where disabled_reason is not null`);
