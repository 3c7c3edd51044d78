-- What happened to a customer, for whoever wants to know: written in the transaction that made it happen, while the
-- customer is locked. So a customer's positions are in the order of the commits. Kept for 90 days.
create table events (
  customer_id text not null,
  id text not null,
  position bigint generated always as identity,
  type text not null,
  checkout_hash text,
  -- 1, 2, 3, ... for each checkout, so that a receiver can tell what came first and whether something is missing
  sequence integer,
  -- Whose sale it is, and through which partner it came: who is told goes by these and the customer.
  merchant_id bigint,
  partner_id text,
  data jsonb not null,
  occurred_at timestamptz not null,
  primary key (customer_id, id),
  check ((checkout_hash is null) = (sequence is null))
);
create unique index events_of_checkout on events (customer_id, checkout_hash, sequence)
  where checkout_hash is not null;
create index events_of_customer on events (customer_id, position);
create index events_by_age on events (occurred_at, position);
create index events_by_type on events (type, occurred_at, position);
create trigger events_append_only before update on events
  for each statement execute function append_only('erasable');

-- The newest sequence of each checkout, and whose sale it is, which its first event says: it outlives the events.
create table event_sequences (
  customer_id text not null,
  checkout_hash text not null,
  sequence integer not null,
  merchant_id bigint,
  primary key (customer_id, checkout_hash)
) with (fillfactor = 70);
-- Whose purchase it is, for who has only the hash.
create index event_sequences_by_checkout on event_sequences (checkout_hash);

-- What happened to nobody in particular. On one table with the others it would all lie on one shard.
create table global_events (
  id text primary key,
  position bigint generated always as identity unique,
  type text not null,
  merchant_id bigint,
  partner_id text,
  data jsonb not null,
  occurred_at timestamptz not null
);
-- In one list with those of customers: no two have the same number.
create index global_events_by_age on global_events (occurred_at, (- position));
create index global_events_by_type on global_events (type, occurred_at, (- position));
create trigger global_events_append_only before update on global_events
  for each statement execute function append_only();

-- What partners were not told yet: a row for each event, written with it, and deleted by the transaction that tells (relay.ts).
-- So nothing is skipped, however late it commits.
create table event_outbox (
  customer_id text not null,
  -- given while the customer is locked, as those of events are
  position bigint generated always as identity,
  event_id text not null,
  primary key (customer_id, position)
);
create index event_outbox_in_order on event_outbox (position);
create table global_event_outbox (
  position bigint primary key
);

-- What each partner is told: one row a partner and event, kept for 90 days. Rows are written by one transaction at a time (see
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
  primary key (partner_id, position),
  unique (partner_id, id)
);
create index partner_events_by_age on partner_events (occurred_at);
create index partner_events_by_time on partner_events (partner_id, occurred_at, position);
create index partner_events_by_type on partner_events (partner_id, type, position);
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
