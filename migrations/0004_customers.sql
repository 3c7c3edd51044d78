create table customers (
  id text primary key,
  -- Name, phone, e-mail, CPF and birth date: AES-256-GCM, bound to the customer's id. The first four bytes are the version of the
  -- data key (DATA_KEYS).
  person_sealed bytea not null,
  -- As in customer_phones.
  phone_hash bytea not null,
  -- null: logs in by code only
  password_hash text,
  -- Keyed hashes of how each word of the name begins, of the whole e-mail, and of the last four and more digits of the phone: by these
  -- people at the staff door find it.
  search_tokens bigint[] not null default '{}',
  credit_limit_cents bigint not null check (credit_limit_cents >= 0),
  referral_code text not null,
  locked_at timestamptz,
  -- Since when nothing here tells who it was. Locked as well.
  erased_at timestamptz,
  created_at timestamptz not null
);
create index customers_by_creation on customers (created_at, id);
create index customers_erased on customers (created_at, id) where erased_at is not null;
create index customers_locked on customers (created_at, id) where locked_at is not null;
create index customers_by_token on customers using gin (search_tokens);
create index customers_by_key_version on customers (substr(person_sealed, 1, 4));

-- What no two customers share. In tables of their own, because customers are distributed by id, and a unique index reaches no
-- further than a shard. Whoever knows a phone or a code finds the customer's id here first.
create table customer_phones (
  -- HMAC of the phone (E.164) under LOOKUP_KEY.
  phone_hash bytea primary key,
  customer_id text not null
);
create table customer_cpfs (
  -- HMAC under LOOKUP_KEY: finds a CPF, and keeps it unique, without reading any.
  cpf_hash bytea primary key,
  customer_id text not null unique
);
create table customer_referral_codes (
  code text primary key,
  customer_id text not null
);

-- New phones that were asked for. One waits at most for a customer: a newer one replaces it. Kept for a while when it is closed, for the
-- message to the old phone.
create table phone_changes (
  id text primary key,
  customer_id text not null,
  -- The old phone and the new one: AES-256-GCM, bound to the id, with the version of the data key in front.
  phones_sealed bytea not null,
  status text not null check (status in ('waiting', 'done', 'cancelled', 'replaced', 'taken')),
  -- As in the audit trail: a person of staff, the command line, or the customer.
  asked_by text not null,
  asked_at timestamptz not null,
  -- When it takes effect without being confirmed.
  counts_at timestamptz not null,
  closed_at timestamptz,
  check ((closed_at is null) = (status = 'waiting'))
);
create unique index phone_changes_waiting on phone_changes (customer_id) where status = 'waiting';
create index phone_changes_of_customer on phone_changes (customer_id, asked_at);
create index phone_changes_due on phone_changes (counts_at) where status = 'waiting';
create index phone_changes_by_age on phone_changes (closed_at) where status <> 'waiting';

-- The terms of use that customers agreed to: the version that was shown to them, when, and from which address.
create table terms_acceptances (
  customer_id text not null references customers,
  accepted_at timestamptz not null,
  version text not null,
  address text not null,
  primary key (customer_id, accepted_at)
);
create trigger terms_acceptances_append_only before update or delete or truncate on terms_acceptances
  for each statement execute function append_only('erasable');

-- One login on one device through one partner. Tokens count no longer than their session.
create table sessions (
  customer_id text not null references customers,
  id text not null,
  partner_id text not null references partners,
  created_at timestamptz not null,
  -- SHA-256 of the one refresh token that may be used next; older ones are recognised by their seal (refresh-token.ts).
  refresh_hash bytea not null,
  refresh_expires_at timestamptz not null,
  ended_at timestamptz,
  ended_reason text check (ended_reason in ('logout', 'locked', 'password_set', 'phone_changed', 'refresh_reused')),
  primary key (customer_id, id),
  check ((ended_at is null) = (ended_reason is null))
);
create index sessions_by_end on sessions (ended_at) where ended_at is not null;
create index sessions_by_refresh_expiry on sessions (refresh_expires_at);

-- Those that ended, of all customers, for a node that begins to listen: one list, which is whole while a worker of Citus is away.
-- Kept for a day, which is longer than tokens live.
create table ended_sessions (
  id text primary key,
  ended_at timestamptz not null
);
create index ended_sessions_by_time on ended_sessions (ended_at);

-- Through which partners a customer has logged in, and since when: those are told what happens to the customer.
create table customer_partners (
  customer_id text not null references customers,
  partner_id text not null references partners,
  since timestamptz not null,
  primary key (customer_id, partner_id)
);

-- Where customers are logged in from: whoever comes from there has limits of their own, which strangers cannot use up. A few for
-- each customer, for as long as a session may be refreshed. By address first: found before it is known who logs in.
create table known_addresses (
  -- Keyed hash, as limits have it.
  address bytea not null,
  customer_id text not null,
  seen_at timestamptz not null,
  primary key (address, customer_id)
);
create index known_addresses_of_customer on known_addresses (customer_id, seen_at desc);
create index known_addresses_by_age on known_addresses (seen_at);

-- The keys tokens are signed with. The private half is sealed like a CPF.
create table signing_keys (
  kid text primary key,
  public_jwk jsonb not null,
  private_sealed bytea not null,
  private_key_version integer not null,
  created_at timestamptz not null,
  signs_from timestamptz not null,
  -- null: until a rotation says otherwise
  accepted_until timestamptz
);
create trigger signing_keys_notify after insert or update or delete or truncate on signing_keys
  for each statement execute function notify_change('signing_keys');

-- Codes that were sent, each of a challenge of its own: whoever guesses at one spoils no other. Kept for phones known to us or
-- not: asking for one looks the same either way.
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

-- What became of each message to a customer. Neither the phone nor the text is kept.
create table messages (
  customer_id text not null references customers,
  id text not null,
  purpose text not null,
  status text not null check (status in ('sent', 'retrying', 'failed')),
  attempts integer not null,
  -- Why the last attempt failed, as a word: 'timeout', 'http_503', 'twilio_21211'
  reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (customer_id, id)
);
create index messages_failed on messages (updated_at desc) where status = 'failed';
create index messages_by_age on messages (updated_at);

-- Failures of the message sender in a row, on all nodes together.
create table sender_health (
  only_row boolean primary key default true check (only_row),
  failures integer not null,
  last_failed_at timestamptz
);
insert into sender_health (failures) values (0);
