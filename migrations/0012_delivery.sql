-- What each partner is told: one row a partner and event, kept for 90 days. Which of its keys see it: those that are bound to no
-- merchant if `unbound`, and those that are bound to merchant_id. Rows are written by one transaction at a time (see
-- publish.ts), so positions become visible in their order, and nobody who reads on from a position misses anything.
create table partner_events (
  partner_id text not null,
  position bigint generated always as identity,
  id text not null,
  type text not null,
  occurred_at timestamptz not null,
  checkout_hash text,
  sequence integer,
  data jsonb not null,
  unbound boolean not null,
  merchant_id bigint,
  primary key (partner_id, position),
  check (unbound or merchant_id is not null),
  unique (partner_id, id)
);
create index partner_events_by_age on partner_events (occurred_at);
create index partner_events_by_time on partner_events (partner_id, occurred_at, position);
create index partner_events_by_type on partner_events (partner_id, type, position) where unbound;
create index partner_events_by_merchant on partner_events (partner_id, merchant_id, type, position)
  where merchant_id is not null;
create trigger partner_events_append_only before update on partner_events
  for each statement execute function append_only('erasable');

-- The newest position of each partner that is no longer kept: whoever wants to go on from before it has missed something.
create table partner_feeds (
  partner_id text primary key,
  purged_to bigint not null
);

-- Where partners want to be called. Times here and in deliveries are the database's own: a clock of the sandbox that is moved
-- moves no retry and ends no lease.
create table webhook_endpoints (
  id text primary key,
  partner_id text not null references partners,
  url text not null,
  -- none: all
  event_types text[] not null,
  -- told of this merchant's sales only; null: of everything the partner is told
  merchant_id bigint,
  merchant_slug text,
  status text not null default 'enabled' check (status in ('enabled', 'disabled')),
  disabled_reason text check (disabled_reason in ('operator', 'gone', 'failing')),
  disabled_at timestamptz,
  created_at timestamptz not null,
  -- sealed with the data key of this version: the secret, and the one before it, which signs as well until then
  secrets bytea not null,
  key_version integer not null,
  old_secret_until timestamptz,
  -- counts changes of what a delivery needs: url and secrets
  revision integer not null default 1,
  -- since when, and how often in a row, nothing but failures
  failing_since timestamptz,
  failures integer not null default 0,
  -- nothing is sent before
  held_until timestamptz,
  check ((status = 'disabled') = (disabled_reason is not null)),
  check ((status = 'disabled') = (disabled_at is not null))
) with (fillfactor = 70);
create index webhook_endpoints_by_partner on webhook_endpoints (partner_id, id);

-- One row an endpoint and event. A replay begins it anew.
create table webhook_deliveries (
  endpoint_id text not null,
  event_id text not null,
  -- where the event is in partner_events; a test is not there
  partner_id text not null,
  position bigint,
  type text not null,
  occurred_at timestamptz not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  -- since it was asked for, the last time
  tries integer not null default 0,
  waiting_since timestamptz not null default now(),
  -- when it is tried next. Whoever takes it moves this on: if they die, it is due again then.
  due_at timestamptz not null default now(),
  settled_at timestamptz,
  -- [{at, status, error, duration_ms, answer}], the newest last
  attempts jsonb not null default '[]',
  primary key (endpoint_id, event_id),
  check (position is not null or status <> 'pending')
);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, due_at, position)
  where status = 'pending';
create index webhook_deliveries_by_status on webhook_deliveries (endpoint_id, status, event_id);
create index webhook_deliveries_by_age on webhook_deliveries (occurred_at);
