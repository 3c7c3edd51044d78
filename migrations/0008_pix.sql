-- A charge: one code that can be paid for one installment. Written before the PSP hears of it.
create table pix_charges (
  customer_id text not null,
  id text not null,
  installment_id text not null,
  checkout_hash text not null,
  type text not null check (type in ('settle', 'settle_partial', 'settle_with_penalty', 'extend')),
  value_cents bigint not null check (value_cents > 0),
  -- The day whose price it holds while it lives.
  priced_on date not null,
  -- What the PSP knows it by; with the key and the seconds below, all that is needed to ask for it again.
  txid text not null check (txid ~ '^[0-9A-Za-z]{32}$'),
  pix_key text not null,
  expiration_seconds integer not null check (expiration_seconds > 0),
  -- creating: the PSP may or may not have it. discarded: given up before anybody saw a code. Neither is shown.
  status text not null check (status in ('creating', 'pending', 'paid', 'expired', 'cancelled', 'discarded')),
  br_code text,
  location text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  paid_at timestamptz,
  -- When the PSP took it out of circulation, or was found not to have it.
  removed_at timestamptz,
  -- Made for a payment that came without a charge, when the operator said what it is for: the PSP knows the payment, and no
  -- such charge.
  assigned_end_to_end_id text,
  primary key (customer_id, id),
  foreign key (customer_id, installment_id) references installments,
  check (status <> 'pending' or br_code is not null),
  check ((status = 'paid') = (paid_at is not null))
);
-- An installment has at most one live charge of each type. A charge never expires on the day it was priced, so what is
-- expired but not yet marked so is never in the way of a new one.
create unique index pix_charges_live on pix_charges (customer_id, installment_id, type, priced_on)
  where status in ('creating', 'pending');
create index pix_charges_newest_first on pix_charges (created_at desc, id desc);
create index pix_charges_by_status on pix_charges (status, created_at desc, id desc);
create index pix_charges_of_installment on pix_charges (customer_id, installment_id, created_at desc, id desc);
-- For reconciliation: what has outlived its time, what is still to be removed at the PSP. What is in doubt is found by status.
create index pix_charges_pending on pix_charges (expires_at) where status = 'pending';
create index pix_charges_to_remove on pix_charges (created_at)
  where status in ('cancelled', 'discarded') and removed_at is null;
create trigger pix_charges_append_only before delete or truncate or update of
    customer_id, id, installment_id, checkout_hash, type, value_cents, priced_on, txid, pix_key, expiration_seconds,
    created_at, expires_at, assigned_end_to_end_id
  on pix_charges for each statement execute function append_only();

-- Money that arrived for a charge, as the PSP says: once per end-to-end id.
create table pix_payments (
  customer_id text not null,
  end_to_end_id text not null,
  charge_id text not null,
  installment_id text not null,
  amount_cents bigint not null check (amount_cents > 0),
  -- When the PSP says it arrived, and when we applied it.
  paid_at timestamptz not null,
  recorded_at timestamptz not null,
  primary key (customer_id, end_to_end_id),
  foreign key (customer_id, charge_id) references pix_charges
);
create index pix_payments_newest_first on pix_payments (paid_at desc, end_to_end_id desc);
create trigger pix_payments_append_only before delete or truncate or update of
    customer_id, end_to_end_id, charge_id, installment_id, amount_cents, paid_at, recorded_at
  on pix_payments for each statement execute function append_only();

-- Money that goes back: what was too much, asked for by us, and what the payer's bank took (forced).
create table pix_refunds (
  customer_id text not null,
  end_to_end_id text not null,
  id text not null check (id ~ '^[0-9A-Za-z]{1,35}$'),
  -- The part of the payment's money that it is to return.
  part smallint not null default 0,
  amount_cents bigint not null check (amount_cents > 0),
  forced boolean not null,
  -- asked: written down, the PSP may or may not know. failed: another one was made for it. given_up: an operator must see
  -- to it. credited: the payment is too old to be refunded, and the money became cashback. overtaken: the payer's bank took the
  -- money before it could be returned.
  status text not null
    check (status in ('asked', 'processing', 'returned', 'failed', 'given_up', 'credited', 'overtaken')),
  -- Which try to give this money back it is, from 1.
  tries integer not null,
  reason text,
  created_at timestamptz not null,
  -- Not to be asked for before: one that failed is tried again later and later.
  due_at timestamptz not null,
  settled_at timestamptz,
  -- Given up, and still here: owed to the payer.
  stranded_cents bigint not null default 0 check (stranded_cents >= 0),
  primary key (customer_id, end_to_end_id, id),
  foreign key (customer_id, end_to_end_id) references pix_payments,
  check ((status = 'returned') = (settled_at is not null)),
  check (not forced or status = 'returned'),
  check ((status = 'given_up') = (stranded_cents > 0))
);
create index pix_refunds_open on pix_refunds (due_at) where status in ('asked', 'processing');
create index pix_refunds_stranded on pix_refunds (created_at desc, id) where stranded_cents > 0;
create index pix_refunds_newest_first on pix_refunds (created_at desc, id desc);
create index pix_refunds_by_status on pix_refunds (status, created_at desc, id desc);
create index pix_refunds_by_settlement on pix_refunds (settled_at) where settled_at is not null;
create index pix_refunds_by_id on pix_refunds (id);

-- What is unique across customers is in tables of its own, by which the PSP's words find their customer.

-- In lower case: some PSPs write what we gave them in capitals.
create table pix_txids (
  txid text primary key check (txid = lower(txid)),
  customer_id text not null,
  charge_id text not null
);
-- For the operator, who has only the id.
create index pix_txids_by_charge on pix_txids (charge_id);

-- A payment counts once, for whichever charge was first. Without a charge it is an orphan, until it turns out to be for one.
create table pix_end_to_end_ids (
  end_to_end_id text primary key,
  customer_id text,
  charge_id text,
  check ((customer_id is null) = (charge_id is null))
);

-- What the PSP says of a charge that we cannot account for: for the operator.
create table pix_discrepancies (
  customer_id text not null,
  charge_id text not null,
  -- paid_without_payment: the charge is paid, and no payment can be found. end_to_end_id_reused: its payment has been counted
  -- for another charge. unreadable_payment: a payment of which the amount or the time cannot be read.
  kind text not null check (kind in ('paid_without_payment', 'end_to_end_id_reused', 'unreadable_payment')),
  -- '' where there is none.
  end_to_end_id text not null,
  txid text not null,
  -- What the charge asks for.
  value_cents bigint not null,
  found_at timestamptz not null,
  -- When the PSP is asked again.
  recheck_at timestamptz not null,
  resolved_at timestamptz,
  primary key (customer_id, charge_id, kind, end_to_end_id),
  foreign key (customer_id, charge_id) references pix_charges
);
create index pix_discrepancies_newest_first on pix_discrepancies (found_at desc, charge_id) where resolved_at is null;
create index pix_discrepancies_to_recheck on pix_discrepancies (recheck_at) where resolved_at is null;

-- Money that belongs to no charge of ours: for the operator.
create table pix_orphans (
  end_to_end_id text primary key,
  txid text,
  amount_cents bigint not null,
  paid_at timestamptz not null,
  found_at timestamptz not null,
  -- open: nothing was done about it. asked, processing, returned: it goes back, as the operator said, by this refund.
  status text not null default 'open' check (status in ('open', 'asked', 'processing', 'returned')),
  refund_id text check (refund_id ~ '^[0-9A-Za-z]{1,35}$'),
  asked_at timestamptz,
  returned_at timestamptz,
  -- Why the last try failed, as the PSP says.
  reason text,
  check (status in ('open', 'returned') or refund_id is not null),
  check ((status = 'returned') = (returned_at is not null))
);
create index pix_orphans_newest_first on pix_orphans (found_at desc, end_to_end_id desc);
create index pix_orphans_by_status on pix_orphans (status, found_at desc, end_to_end_id desc);

-- What the PSP told us, as it told it. Sealed like a CPF: some PSPs write down who paid.
create table pix_notices (
  id text primary key,
  received_at timestamptz not null,
  sealed bytea not null,
  key_version integer not null
);
create index pix_notices_by_age on pix_notices (received_at);

-- Up to where the money that arrived has been compared with what we know.
create table pix_sweep (
  only_row boolean primary key default true check (only_row),
  swept_to timestamptz not null
);
