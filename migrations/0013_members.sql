-- A merchant's people, who sign in at a till.
create table members (
  id text primary key,
  merchant_id bigint not null,
  -- Name and phone: AES-256-GCM, bound to the id, with the version of the data key in front.
  person_sealed bytea not null,
  -- HMAC of the phone under LOOKUP_KEY, as customers have it: nobody buys at a merchant they are a member of. Empty: erased.
  phone_hash bytea not null,
  role text not null check (role in ('owner', 'clerk')),
  -- A clerk's offers are for no more. null: no bound
  max_amount_cents bigint check (max_amount_cents > 0),
  -- Whether a clerk may take goods back.
  may_return boolean not null,
  created_at timestamptz not null,
  -- Kept without the phone after a while: sales and returns name who made them.
  removed_at timestamptz
);
create unique index members_active on members (merchant_id, phone_hash) where removed_at is null;
create index members_by_phone on members (phone_hash) where removed_at is null;
create index members_by_removal on members (removed_at) where length(phone_hash) > 0;

-- One login of a member on one device through one partner, as customers have it (sessions).
create table member_sessions (
  member_id text not null references members,
  id text not null,
  partner_id text not null references partners,
  created_at timestamptz not null,
  refresh_hash bytea not null,
  refresh_expires_at timestamptz not null,
  ended_at timestamptz,
  ended_reason text check (ended_reason in ('logout', 'refresh_reused', 'switched', 'removed')),
  primary key (member_id, id),
  check ((ended_at is null) = (ended_reason is null))
);
create index member_sessions_by_end on member_sessions (ended_at) where ended_at is not null;
create index member_sessions_by_refresh_expiry on member_sessions (refresh_expires_at);
