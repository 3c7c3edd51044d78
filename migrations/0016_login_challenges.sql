-- Codes that were sent, each of a challenge of its own: whoever guesses at one spoils no other. Kept for phones known to us or
-- not: asking for one looks the same either way.
drop table login_codes;
create table login_challenges (
  -- Keyed hash of the phone.
  subject bytea not null,
  id text not null,
  -- Keyed hash of the address that asked. Who asks again replaces codes of their own only.
  origin bytea not null,
  -- HMAC under LOOKUP_KEY: six digits are no secret under a plain hash.
  code_hash bytea not null,
  -- Phone and code for the sender, sealed; null once the message has left or was given up.
  sealed bytea,
  sealed_key_version integer,
  expires_at timestamptz not null,
  tries integer not null default 0,
  used_at timestamptz,
  primary key (subject, id)
);
create index login_challenges_by_age on login_challenges (expires_at);
