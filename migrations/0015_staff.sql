-- additive
-- How the operator's people sign in at the back office.
alter table staff_members
  -- In lower case. null: they only have a key
  add column email text check (email = lower(email)),
  add column password_hash text,
  -- The secret of one-time codes is a keyed hash of the id and this.
  add column totp_nonce text,
  -- The step of the last code that counted: a code works once.
  add column totp_step bigint,
  -- HMACs under LOOKUP_KEY of the codes that are left.
  add column recovery_hashes bytea[] not null default '{}',
  add column invite_hash bytea,
  add column invite_expires_at timestamptz;
create unique index staff_members_by_email on staff_members (email) where removed_at is null;
create unique index staff_members_by_invite on staff_members (invite_hash);

-- Passkeys (WebAuthn) of people.
create table staff_passkeys (
  id text primary key,
  member_id text not null references staff_members,
  name text not null check (length(name) between 1 and 60),
  public_key bytea not null,
  counter bigint not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index staff_passkeys_by_member on staff_passkeys (member_id);

-- One sign-in of a person in one browser.
create table staff_sessions (
  id text primary key,
  member_id text not null references staff_members,
  -- SHA-256 of what the office sends
  token_hash bytea not null unique,
  created_at timestamptz not null,
  -- To the minute: it ends after 30 minutes of nothing.
  seen_at timestamptz not null,
  -- null: the second factor is missing yet
  verified_at timestamptz,
  -- Of a passkey that is asked for.
  challenge text,
  -- Of one-time codes that are to be confirmed.
  totp_nonce text,
  address text not null,
  agent text not null,
  ended_at timestamptz
);
create index staff_sessions_by_member on staff_sessions (member_id);
create index staff_sessions_by_age on staff_sessions (created_at);
