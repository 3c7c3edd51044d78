create table partners (
  id text primary key,
  name text not null unique check (length(name) between 1 and 120),
  created_at timestamptz not null
);

create table api_keys (
  id text primary key,
  partner_id text not null references partners,
  label text not null,
  -- SHA-256 of the key: it has 256 bits of chance, so a slow hash would add nothing.
  hash bytea not null unique,
  -- The first characters, so that people can tell keys apart.
  hint text not null,
  scopes text[] not null check (cardinality(scopes) > 0 and scopes <@ array['public', 'wallet', 'merchant', 'till', 'operator']),
  -- Browser origins that may use the key; '*' allows all, none means the key is not for browsers.
  allowed_origins text[] not null default '{}',
  -- Origins that the page of an offer made with the key may lead back to.
  return_origins text[] not null default '{}',
  -- null: no limit
  requests_per_minute integer check (requests_per_minute > 0),
  -- A backend calls for many consumers from one address: its header x-client-ip names the address that limits count.
  backend boolean not null default false,
  -- Whose till or back office uses the key.
  merchant_id bigint,
  -- Who of the operator's people it belongs to, and what they may do.
  person_id text,
  role text check (role in ('viewer', 'content', 'support', 'finance', 'admin')),
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  replaces text references api_keys,
  check (('merchant' = any(scopes)) = (merchant_id is not null)),
  -- With the one a key is a merchant's own; with the other it says by a token for which merchant it acts.
  check (not scopes @> array['merchant', 'till']),
  check (('operator' = any(scopes)) = (person_id is not null) and (person_id is null) = (role is null))
);
create index api_keys_by_partner on api_keys (partner_id, created_at);
create index api_keys_by_person on api_keys (person_id) where person_id is not null;
create index api_keys_by_merchant on api_keys (merchant_id) where merchant_id is not null;

-- Requests leased by all nodes in the current minute. Losing it in a crash forgives a minute: unlogged.
create unlogged table rate_windows (
  key_id text primary key,
  window_start timestamptz not null,
  used bigint not null
) with (fillfactor = 50);

create trigger api_keys_notify
  after insert or delete or truncate
    or update of hash, scopes, allowed_origins, return_origins, requests_per_minute, backend, merchant_id, role, expires_at, revoked_at on api_keys
  for each statement execute function notify_change('keys');
