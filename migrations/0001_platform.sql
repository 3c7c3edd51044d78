-- What belongs to no module: src/platform.

-- One row: what this database is for. A sandbox database, with its known keys, never serves as a live one.
create table installation (
  only_row boolean primary key default true check (only_row),
  mode text not null check (mode in ('sandbox', 'live')),
  created_at timestamptz not null default now()
);

-- A check value of every key this database was written with: see platform/privacy/key-checks.ts.
create table key_checks (
  setting text not null check (setting in ('DATA_KEYS', 'LOOKUP_KEY')),
  -- Of DATA_KEYS; 0 for LOOKUP_KEY, which has none.
  version integer not null,
  value bytea not null,
  -- changing: hashes are being made anew with it. retired: nothing is sealed with it any more.
  state text not null default 'in_use' check (state in ('in_use', 'changing', 'retired')),
  created_at timestamptz not null default now(),
  primary key (setting, version)
);

-- Tells every node, see platform/nodes/change-feed.ts. The argument is the topic.
create function notify_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('semana_changes', tg_argv[0]);
  return null;
end $$;

-- Put before what a table must never suffer (update, delete, truncate): what is written there stays. Only a reset of the
-- sandbox may empty it, and says so by a setting: unlike disabling a trigger, that also holds on the shards of a table. The
-- argument 'erasable' lets a person be made unrecognisable in it, by an update, while another setting says so.
create function append_only() returns trigger language plpgsql as $$
begin
  if current_setting('semana.resetting', true) = 'on' then
    return null;
  end if;
  if tg_op = 'UPDATE' and tg_nargs > 0 and current_setting('semana.erasing', true) = 'on' then
    return null;
  end if;
  raise exception '% of % is refused: it is append-only', lower(tg_op), tg_table_name
    using errcode = 'restrict_violation';
end $$;

-- Answers already given, kept for 24 hours. Written in the transaction of what they answer for.
create table idempotent_answers (
  partner_id text not null,
  -- '' where no customer is logged in
  customer_id text not null,
  key text not null,
  request_hash bytea not null,
  status integer not null,
  -- Sealed as customers are: an answer may name somebody, or let them in.
  body bytea not null,
  -- Customers whose ids are in it.
  about text[] not null,
  created_at timestamptz not null,
  primary key (customer_id, partner_id, key)
);
create index idempotent_answers_by_age on idempotent_answers (created_at);

-- How often something was tried of late, by whom it concerns: a keyed hash of a phone or an address.
create table attempt_windows (
  kind text not null,
  subject bytea not null,
  -- Keyed hash of the phone it is about, where the subject is another (of a phone and an address).
  about bytea,
  hits timestamptz[] not null,
  -- When attempts began whose outcome is not known yet. They count for a few seconds: see attempt-limits.ts.
  pending timestamptz[] not null default '{}',
  -- Whether the statement that wrote the row last was let through: how it learns its own outcome.
  granted boolean not null,
  -- Set while the limit is reached.
  reopens_at timestamptz,
  forget_at timestamptz not null,
  primary key (kind, subject)
) with (fillfactor = 70);
create index attempt_windows_by_age on attempt_windows (forget_at);
create index attempt_windows_about on attempt_windows (about) where about is not null;

-- What people of the operator's changed. Kept for good: see platform/privacy/trail.ts.
create table audit_trail (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  -- A person's id, or 'command line' and the account on the machine.
  actor text not null,
  address text,
  request_id text,
  -- The operation of openapi.json, or the words of the command.
  action text not null,
  subject_kind text not null,
  subject_id text not null,
  -- What differs. null: there was no such thing, or there is none any more.
  before jsonb,
  after jsonb,
  reason text
);
create index audit_trail_by_time on audit_trail (at desc, id desc);
create index audit_trail_by_actor on audit_trail (actor, at desc, id desc);
create index audit_trail_by_subject on audit_trail (subject_kind, subject_id, at desc, id desc);
create index audit_trail_by_request on audit_trail (request_id) where request_id is not null;
create trigger audit_trail_append_only before update or delete or truncate on audit_trail
  for each statement execute function append_only('erasable');
