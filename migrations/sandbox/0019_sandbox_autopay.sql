-- additive
-- Pix Automático in the PSP simulator: authorisations and debits of a bank that is not ours.

create table psp_sim_rec_locations (
  id bigint generated always as identity primary key,
  token text not null unique,
  location text not null,
  created_at timestamptz not null
);

-- An authorisation (rec).
create table psp_sim_recs (
  id text primary key check (id ~ '^[a-zA-Z0-9]{29}$'),
  status text not null check (status in ('CRIADA', 'APROVADA', 'REJEITADA', 'EXPIRADA', 'CANCELADA')),
  location_id bigint unique references psp_sim_rec_locations,
  -- What the receiver asked for, in the words of the wire: vinculo, calendario, valor, politicaRetentativa.
  terms jsonb not null,
  -- The charge whose payment authorises.
  first_txid text,
  -- encerramento, in the words of the wire.
  ended jsonb,
  -- atualizacao, in the words of the wire.
  updates jsonb not null,
  created_at timestamptz not null
);
create index psp_sim_recs_by_charge on psp_sim_recs (first_txid) where first_txid is not null;
create index psp_sim_recs_live on psp_sim_recs ((terms -> 'calendario' ->> 'dataFinal'))
  where status in ('CRIADA', 'APROVADA');

-- A debit (cobr).
create table psp_sim_debits (
  txid text primary key check (txid ~ '^[a-zA-Z0-9]{26,35}$'),
  rec_id text not null references psp_sim_recs,
  status text not null
    check (status in ('CRIADA', 'ATIVA', 'CONCLUIDA', 'EXPIRADA', 'REJEITADA', 'CANCELADA')),
  -- Which week of the authorisation, from 0: each has one debit.
  cycle integer not null,
  amount_cents bigint not null check (amount_cents > 0),
  -- calendario, valor, recebedor and so on, in the words of the wire.
  terms jsonb not null,
  -- tentativas, in the words of the wire.
  attempts jsonb not null,
  ended jsonb,
  updates jsonb not null,
  -- When the payer's bank tries next, by the sandbox's clock; null: nothing is planned.
  next_try_at timestamptz,
  created_at timestamptz not null
);
create unique index psp_sim_debits_of_cycle on psp_sim_debits (rec_id, cycle)
  where status not in ('REJEITADA', 'CANCELADA');
create index psp_sim_debits_to_try on psp_sim_debits (next_try_at) where next_try_at is not null;

-- Payments of debits belong to no charge, and come without a key.
alter table psp_sim_pix drop constraint psp_sim_pix_txid_fkey;
alter table psp_sim_pix alter column key drop not null;

-- What a notice is about: the end of the address it is sent to.
alter table psp_sim_deliveries add column kind text not null default 'pix' check (kind in ('pix', 'rec', 'cobr'));
