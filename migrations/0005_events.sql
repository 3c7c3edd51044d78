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

-- The newest sequence of each checkout, whose sale it is, and what every event of it carries: merchant, offer_id and reference.
-- Its first event says so. It outlives the events.
create table event_sequences (
  customer_id text not null,
  checkout_hash text not null,
  sequence integer not null,
  merchant_id bigint,
  purchase jsonb,
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
