import { buildGlobalEventsInsert, type StoredEvent } from '#events';
import { type Db, pluck, type Queryable, sql } from '#platform/database/db.ts';
import { omitCustomer } from '../publish-store.ts';
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
    select webhook.id from webhook_endpoints webhook
    where webhook.status = 'enabled' and coalesce(webhook.held_until <= now(), true)
        and exists (select from webhook_deliveries delivery
         where delivery.endpoint_id = webhook.id and delivery.status = 'pending' and delivery.due_at <= now())`);

/**
 * Leases due deliveries of some webhooks to the caller, at most `maxDeliveries` of each. No other caller gets them before the lease ends. A
 * webhook that keeps failing gets one delivery at a time, and none during its backoff. The commit is asynchronous: if a database
 * crash loses a lease, the only consequence is a duplicate delivery.
 */
export const claimDeliveries = (
  db: Db,
  requests: ReadonlyArray<{ webhookId: string; maxDeliveries: number }>,
  leaseMs: number,
) =>
  db.rows<ClaimedDelivery>(sql`
    with requests as (
      select * from unnest(${pluck(requests, 'webhookId')}::text[],
                           ${pluck(requests, 'maxDeliveries')}::int[]) as request (id, max_deliveries)),
    -- Skips webhooks whose outcomes are being saved: waiting for their locks could deadlock.
    webhooks_to_probe as (
      select webhook.id from webhook_endpoints webhook join requests using (id)
      where webhook.status = 'enabled' and webhook.failures >= ${FAILURES_BEFORE_PROBING} and webhook.held_until <= now()
        and exists (select from webhook_deliveries delivery
                    where delivery.endpoint_id = webhook.id and delivery.status = 'pending' and delivery.due_at <= now())
      for update of webhook skip locked),
    probed_webhooks as (
      update webhook_endpoints webhook set held_until = now() + ${leaseMs}::float8 * interval '1 millisecond'
      from webhooks_to_probe to_probe where webhook.id = to_probe.id
      returning webhook.id),
    allowed_webhooks as (
      select webhook.id, webhook.revision,
             case when probed.id is null then requests.max_deliveries else 1 end as max_deliveries
      from requests join webhook_endpoints webhook on webhook.id = requests.id left join probed_webhooks probed on probed.id = requests.id
      where webhook.status = 'enabled'
        and (probed.id is not null
             or webhook.failures < ${FAILURES_BEFORE_PROBING} and coalesce(webhook.held_until <= now(), true))),
    due_deliveries as (
      select allowed.id, allowed.revision, delivery.event_id
      from allowed_webhooks allowed cross join lateral (
        select event_id from webhook_deliveries
        where endpoint_id = allowed.id and status = 'pending' and due_at <= now()
        order by due_at, position limit allowed.max_deliveries for update skip locked) as delivery),
    claimed_deliveries as (
      update webhook_deliveries delivery set due_at = now() + ${leaseMs}::float8 * interval '1 millisecond'
      from due_deliveries due where delivery.endpoint_id = due.id and delivery.event_id = due.event_id
      returning delivery.endpoint_id, due.revision, delivery.event_id, delivery.tries, delivery.partner_id,
                delivery.position)
    select claimed.endpoint_id, claimed.revision, claimed.event_id, claimed.tries, event.type, event.occurred_at,
           event.sequence,
           case when webhook.merchant_id is null then event.data else ${omitCustomer(sql`event.data`)} end as data,
           set_config('synchronous_commit', 'off', true)
    from claimed_deliveries claimed
    join partner_events event on event.partner_id = claimed.partner_id and event.position = claimed.position
    join webhook_endpoints webhook on webhook.id = claimed.endpoint_id
    order by claimed.position`);

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

/** Saves the outcomes of deliveries and the health of their webhooks. Returns the webhooks that get disabled. */
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
    changed_health as materialized (${lockChangedWebhooks}),
    updated_webhooks as (${updateWebhooks}),
    published as (${insertDisabledEvents(now)})
    -- Always returns a row, because set_config runs once per row.
    select updated.id, updated.partner_id, updated.disabled_reason, set_config('synchronous_commit', 'off', true)
    from (select) as single_row left join updated_webhooks updated on updated.disabled_reason is not null`);
  return rows.filter((row): row is DisabledWebhook => row.id !== null);
}

// The steps of the statement of `settleDeliveries`. Each step reads the results of the previous ones.

/** Locks the deliveries in the same order as a replay, so that the two cannot deadlock. */
const lockOutcomes = (outcomes: readonly DeliveryOutcome[]) => sql`
  select outcome.*
  from unnest(${pluck(outcomes, 'webhookId')}::text[], ${pluck(outcomes, 'eventId')}::text[],
              ${pluck(outcomes, 'status')}::text[], ${pluck(outcomes, 'delayMs')}::float8[],
              ${outcomes.map(({ attempt }) => attempt && JSON.stringify(attempt))}::jsonb[],
              ${outcomes.map(({ exchange }) => exchange && JSON.stringify(exchange))}::jsonb[])
         as outcome (endpoint_id, event_id, status, delay_ms, attempt, exchange)
  join webhook_deliveries delivery using (endpoint_id, event_id)
  order by endpoint_id, event_id for update of delivery`;

/** Retains the newest attempts: `- 0` drops the first element. A failed delivery stays failed, unless an attempt succeeds. */
const updateDeliveries = sql`
  update webhook_deliveries delivery set
    status = outcomes.status,
    tries = delivery.tries + (outcomes.attempt is not null)::int,
    due_at = now() + outcomes.delay_ms * interval '1 millisecond',
    settled_at = case when outcomes.status <> 'pending' then now() end,
    last_exchange = coalesce(outcomes.exchange, delivery.last_exchange),
    attempts = case when outcomes.attempt is null then delivery.attempts
                    when jsonb_array_length(delivery.attempts) < ${MAX_STORED_ATTEMPTS} then delivery.attempts || outcomes.attempt
                    else (delivery.attempts - 0) || outcomes.attempt end
  from outcomes
  where delivery.endpoint_id = outcomes.endpoint_id and delivery.event_id = outcomes.event_id
    and (delivery.status = 'pending' or outcomes.status = 'delivered')`;

const selectHealth = (health: readonly WebhookHealth[]) => sql`
  select * from unnest(${pluck(health, 'webhookId')}::text[], ${pluck(health, 'hasSuccess')}::boolean[],
                       ${pluck(health, 'isGone')}::boolean[], ${pluck(health, 'retryAfterMs')}::float8[],
                       ${pluck(health, 'eventId')}::text[]) as webhook_health (id, has_success, is_gone, retry_after_ms, event_id)`;

/**
 * Locks the webhooks whose health changes. `pause_until`: from the receiver's Retry-After. `backoff_until`: exponential backoff
 * with jitter after repeated failures. `disabled_reason`: why the webhook gets disabled.
 */
const lockChangedWebhooks = sql`
  select webhook.id, health.has_success, health.event_id,
         case when health.retry_after_ms > 0 then now() + health.retry_after_ms * interval '1 millisecond' end as pause_until,
         case when not health.has_success and webhook.failures + 1 >= ${FAILURES_BEFORE_PROBING} then
           -- A second after the first probe, doubled with each failure.
           now() + least(${MAX_BACKOFF_MS}::float8,
                         1000 * power(2, least(20, webhook.failures + 1 - ${FAILURES_BEFORE_PROBING}::int)))
                   * (0.9 + 0.2 * random()) * interval '1 millisecond' end as backoff_until,
         case when health.is_gone then 'gone'
              when not health.has_success and webhook.failing_since < now() - ${FAILING_DAYS}::int * interval '1 day'
                then 'failing'
         end as disabled_reason
  from webhook_endpoints webhook join health using (id)
  where webhook.status = 'enabled'
    and (not health.has_success or health.is_gone or health.retry_after_ms > 0 or webhook.failing_since is not null)
  order by webhook.id for update of webhook`;

const updateWebhooks = sql`
  update webhook_endpoints webhook set
    failing_since = case when not changed.has_success then coalesce(webhook.failing_since, now()) end,
    failures = case when changed.has_success then 0 else webhook.failures + 1 end,
    held_until = greatest(changed.pause_until, changed.backoff_until),
    status = case when changed.disabled_reason is null then 'enabled' else 'disabled' end,
    disabled_reason = changed.disabled_reason,
    disabled_at = case when changed.disabled_reason is not null then now() end
  from changed_health changed where webhook.id = changed.id
  returning webhook.id, webhook.partner_id, webhook.url, webhook.disabled_reason, changed.event_id`;

const insertDisabledEvents = (now: Date) =>
  buildGlobalEventsInsert(sql`
    select event_id, 'webhook.disabled',
           jsonb_build_object('id', id, 'partner_id', partner_id, 'url', url, 'reason', disabled_reason), ${now}
    from updated_webhooks where disabled_reason is not null`);
