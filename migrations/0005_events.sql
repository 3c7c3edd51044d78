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
  data jsonb not null,
  occurred_at timestamptz not null,
  primary key (customer_id, id),
  check ((checkout_hash is null) = (sequence is null))
);
create unique index events_of_checkout on events (customer_id, checkout_hash, sequence)
  where checkout_hash is not null;
create index events_of_customer on events (customer_id, position);
create index events_by_age on events (occurred_at);
create trigger events_append_only before update on events
  for each statement execute function append_only();

-- The newest sequence of each checkout: it outlives the events.
create table event_sequences (
  customer_id text not null,
  checkout_hash text not null,
  sequence integer not null,
  primary key (customer_id, checkout_hash)
) with (fillfactor = 70);

-- What happened to nobody in particular. On one table with the others it would all lie on one shard.
create table global_events (
  id text primary key,
  position bigint generated always as identity,
  type text not null,
  data jsonb not null,
  occurred_at timestamptz not null
);
create index global_events_by_age on global_events (occurred_at);
create trigger global_events_append_only before update on global_events
  for each statement execute function append_only();
