-- Tables of the sandbox: they do not exist in live mode.

-- How far the time of all nodes is from real time. No row: not at all.
create table sandbox_clock (
  only_row boolean primary key default true check (only_row),
  offset_ms bigint not null,
  revision bigint not null
);

create function sandbox_clock_notify() returns trigger language plpgsql as $$
begin
  perform pg_notify('semana_changes', 'clock ' || new.revision || ' ' || new.offset_ms);
  return null;
end $$;
create trigger sandbox_clock_notify after insert or update on sandbox_clock
  for each row execute function sandbox_clock_notify();

-- Messages that would have gone out.
create table sandbox_messages (
  id bigint generated always as identity primary key,
  phone text not null,
  text text not null,
  code text,
  sent_at timestamptz not null
);
create index sandbox_messages_by_phone on sandbox_messages (phone, id desc);
create index sandbox_messages_by_age on sandbox_messages (sent_at);

-- The PSP simulator (src/sandbox/psp): the books of a bank that is not ours.

-- One row: who this simulator is, its keys, and how it misbehaves.
create table psp_sim_settings (
  only_row boolean primary key default true check (only_row),
  simulator_id text not null,
  token_secret bytea not null,
  -- RSA, private, as a JWK
  signing_key jsonb not null,
  faults jsonb not null
);

create table psp_sim_charges (
  txid text primary key check (txid ~ '^[a-zA-Z0-9]{26,35}$'),
  status text not null
    check (status in ('ATIVA', 'CONCLUIDA', 'REMOVIDA_PELO_USUARIO_RECEBEDOR', 'REMOVIDA_PELO_PSP')),
  revision integer not null default 0,
  -- What the receiver asked for, in the words of the wire: calendario, devedor, valor, chave, ...
  terms jsonb not null,
  created_at timestamptz not null
);
create index psp_sim_charges_by_creation on psp_sim_charges (created_at, txid);

-- What a charge asked for before it was changed.
create table psp_sim_past_terms (
  txid text not null references psp_sim_charges,
  revision integer not null,
  terms jsonb not null,
  primary key (txid, revision)
);

create table psp_sim_locations (
  id bigint generated always as identity primary key,
  -- Whoever knows it may read the charge: unguessable.
  token text not null unique,
  location text not null,
  -- null: shows no charge at the moment
  txid text unique references psp_sim_charges,
  created_at timestamptz not null
);
create index psp_sim_locations_by_creation on psp_sim_locations (created_at, id);

create table psp_sim_pix (
  end_to_end_id text primary key,
  txid text not null references psp_sim_charges,
  key text not null,
  amount_cents bigint not null check (amount_cents > 0),
  paid_at timestamptz not null,
  -- Where the simulator is told to use an end-to-end id twice: the one this payment is told under, if it is not its own.
  told_as text
);
create index psp_sim_pix_by_txid on psp_sim_pix (txid);
create index psp_sim_pix_by_time on psp_sim_pix (paid_at, end_to_end_id);

create table psp_sim_refunds (
  end_to_end_id text not null references psp_sim_pix,
  id text not null,
  return_id text not null,
  amount_cents bigint not null check (amount_cents > 0),
  nature text not null,
  description text,
  status text not null check (status in ('EM_PROCESSAMENTO', 'DEVOLVIDO', 'NAO_REALIZADO')),
  requested_at timestamptz not null,
  settled_at timestamptz,
  -- When it will be settled and how, while in process; in real time, not the sandbox's. null: when somebody lets it.
  settles_at timestamptz,
  outcome text not null check (outcome in ('DEVOLVIDO', 'NAO_REALIZADO')),
  primary key (end_to_end_id, id)
);
create index psp_sim_refunds_in_process on psp_sim_refunds (settles_at) where status = 'EM_PROCESSAMENTO';

create table psp_sim_webhooks (
  key text primary key,
  url text not null,
  created_at timestamptz not null
);

-- Every notice that was sent, is to be sent, or was held back. Times are real, not the sandbox's.
create table psp_sim_deliveries (
  id bigint generated always as identity primary key,
  url text not null,
  -- One element of the notice's list
  pix jsonb not null,
  state text not null check (state in ('waiting', 'delivered', 'failed', 'withheld')),
  attempts integer not null default 0,
  due_at timestamptz not null,
  -- Until then somebody is at it; a node that dies lets go by itself.
  claimed_until timestamptz,
  last_outcome text,
  created_at timestamptz not null
);
create index psp_sim_deliveries_waiting on psp_sim_deliveries (due_at, id) where state = 'waiting';
create index psp_sim_deliveries_by_age on psp_sim_deliveries (created_at);
