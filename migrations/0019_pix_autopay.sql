-- additive
-- Autopay (Pix Automático): a customer lets the installments of a purchase be debited.

-- An authorisation: one for a purchase at a time. Written before the PSP hears of it.
create table pix_authorisations (
  customer_id text not null,
  id text not null,
  checkout_hash text not null,
  -- creating: the PSP may or may not have it. discarded: given up before anybody saw a code. Neither is shown.
  status text not null
    check (status in ('creating', 'pending', 'active', 'rejected', 'expired', 'ended', 'discarded')),
  -- Its place at the PSP, by which it is found again; then what the PSP knows it by.
  location_id bigint,
  rec_id text,
  br_code text,
  -- The charge whose payment authorises as well.
  first_charge_id text,
  -- Its cycles are weeks from the first of these days; debits fall due up to the second.
  starts_on date not null,
  ends_on date not null check (ends_on >= starts_on),
  -- The largest debit: the payer's own limit must allow it.
  least_cents bigint not null check (least_cents > 0),
  created_at timestamptz not null,
  -- Until when the code can be used.
  expires_at timestamptz not null,
  activated_at timestamptz,
  ended_at timestamptz,
  -- Who ended it, and why: a code of the standard, or a word of ours.
  ended_by text check (ended_by in ('customer', 'payer', 'bank', 'service')),
  reason text,
  -- When it was found ended at the PSP.
  removed_at timestamptz,
  -- When its installments are looked at next, to ask for debits.
  look_on date not null,
  -- When the PSP was last asked about it.
  synced_at timestamptz not null,
  primary key (customer_id, id),
  foreign key (customer_id, checkout_hash) references checkouts,
  check (status not in ('pending', 'active') or (rec_id is not null and br_code is not null)),
  check ((status in ('ended', 'rejected')) = (ended_by is not null))
);
create unique index pix_authorisations_live on pix_authorisations (customer_id, checkout_hash)
  where status in ('creating', 'pending', 'active');
create index pix_authorisations_newest_first on pix_authorisations (created_at desc, id desc);
create index pix_authorisations_by_status on pix_authorisations (status, created_at desc, id desc);
create index pix_authorisations_to_look_at on pix_authorisations (look_on) where status = 'active';
create index pix_authorisations_to_sync on pix_authorisations (synced_at)
  where status in ('creating', 'pending', 'active');
create index pix_authorisations_to_remove on pix_authorisations (created_at)
  where status in ('expired', 'ended', 'discarded') and removed_at is null;

-- By what the PSP calls an authorisation, and by its id, its customer is found.
create table pix_recurrences (
  rec_id text primary key,
  customer_id text not null,
  authorisation_id text not null
);
create index pix_recurrences_by_authorisation on pix_recurrences (authorisation_id);

-- A debit is a charge without a code that belongs to an authorisation: so it is settled, withdrawn and swept as any charge.
alter table pix_charges
  add column authorisation_id text,
  -- Until when it counts at the price of its day; null: until it expires. A holiday of the payer moves it.
  add column held_until timestamptz,
  drop constraint pix_charges_check,
  add constraint pix_charges_code check (status <> 'pending' or br_code is not null or authorisation_id is not null);

-- What besides is known of a debit.
create table pix_debits (
  customer_id text not null,
  charge_id text not null,
  authorisation_id text not null,
  checkout_hash text not null,
  installment_id text not null,
  -- Which week of the authorisation, from 0: it has one debit at most.
  cycle integer not null,
  due_on date not null,
  -- The day of the attempt that is planned, or was the last.
  attempt_on date not null,
  -- On how many days the bank refused, and what it said last.
  refusals integer not null default 0,
  reason text,
  -- False once it is withdrawn at the PSP: its week is free again.
  open boolean not null default true,
  -- When the PSP is asked about it next, should no notice come.
  check_at timestamptz,
  primary key (customer_id, charge_id),
  foreign key (customer_id, charge_id) references pix_charges
);
create unique index pix_debits_of_cycle on pix_debits (customer_id, authorisation_id, cycle) where open;
create index pix_debits_to_check on pix_debits (check_at) where check_at is not null;
create index pix_debits_by_day on pix_debits (due_on);
