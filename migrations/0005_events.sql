-- What happened, for whoever wants to know: written in the transaction that made it happen.
create table events (
  -- '' where it concerns no customer
  customer_id text not null,
  id text not null,
  -- Grows, but is given before the commit: a later number may become visible first. Whoever reads on from a cursor
  -- takes only rows with written_in < pg_snapshot_xmin(pg_current_snapshot()), in the order (written_in, position).
  position bigint generated always as identity,
  written_in xid8 not null default pg_current_xact_id(),
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
create index events_in_order on events (written_in, position);
create trigger events_append_only before update on events
  for each statement execute function append_only();
-- A customer's events are written while the customer is locked, so their positions are in the order of the commits.
create index events_of_customer on events (customer_id, position);
-- Streams of the customer's events listen.
create function events_notify() returns trigger language plpgsql as $$
begin
  perform pg_notify('semana_changes', 'events ' || new.customer_id);
  return null;
end $$;
create trigger events_notify after insert on events
  for each row when (new.customer_id <> '') execute function events_notify();
