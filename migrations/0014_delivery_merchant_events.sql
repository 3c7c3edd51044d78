-- additive
-- What happened to each merchant, for the streams of its people and its own server. Written by the relay, one transaction at a time, so
-- positions become visible in their order. Kept for two days: a stream that goes on from before that is told to read anew.
create table merchant_events (
  merchant_id bigint not null,
  position bigint generated always as identity,
  id text not null,
  type text not null,
  occurred_at timestamptz not null,
  sequence integer,
  data jsonb not null,
  primary key (merchant_id, position),
  unique (merchant_id, id)
);
create index merchant_events_by_age on merchant_events (occurred_at);
