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

-- A new account of a merchant's own wish waits for a day: where it is to be paid, who asked for it and when.
alter table payout_accounts
  alter column pix_key drop not null,
  alter column holder_name drop not null,
  alter column tax_id drop not null,
  add column change jsonb,
  add column change_counts_at timestamptz,
  add check (num_nonnulls(pix_key, holder_name, tax_id) in (0, 3)),
  add check ((change is null) = (change_counts_at is null));
create index payout_accounts_to_change on payout_accounts (change_counts_at) where change_counts_at is not null;

-- From where a member's session was last opened or refreshed, as a keyed hash, and when: strangers use up no codes of a known address.
alter table member_sessions add column address bytea, add column seen_at timestamptz;
alter table member_sessions drop constraint member_sessions_ended_reason_check,
  add constraint member_sessions_ended_reason_check
    check (ended_reason in ('logout', 'refresh_reused', 'switched', 'removed', 'ended'));
