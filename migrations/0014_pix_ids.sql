-- What is unique across customers is in tables of its own, by which the PSP's words find their customer.

-- In lower case: some PSPs write what we gave them in capitals.
create table pix_txids (
  txid text primary key check (txid = lower(txid)),
  customer_id text not null,
  charge_id text not null
);
insert into pix_txids select lower(txid), customer_id, id from pix_charges;
drop index pix_charges_by_txid;

-- A payment counts once, for whichever charge was first. Without a charge it is an orphan, until it turns out to be for one.
create table pix_end_to_end_ids (
  end_to_end_id text primary key,
  customer_id text,
  charge_id text,
  check ((customer_id is null) = (charge_id is null))
);
insert into pix_end_to_end_ids
  select distinct on (end_to_end_id) end_to_end_id, customer_id, charge_id from pix_payments
  order by end_to_end_id, recorded_at, customer_id;
delete from pix_orphans using pix_end_to_end_ids known where known.end_to_end_id = pix_orphans.end_to_end_id;
insert into pix_end_to_end_ids select end_to_end_id from pix_orphans;
drop index pix_payments_by_id;
drop index pix_refunds_by_payment;

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

-- An installment has at most one live charge of each type. A charge never expires on the day it was priced, so what is
-- expired but not yet marked so is never in the way of a new one.
update pix_charges old set status = 'cancelled'
where status in ('creating', 'pending') and exists (
  select from pix_charges newer
  where newer.customer_id = old.customer_id and newer.installment_id = old.installment_id and newer.type = old.type
    and newer.priced_on = old.priced_on and newer.status in ('creating', 'pending')
    and (newer.created_at, newer.id) > (old.created_at, old.id));
drop index pix_charges_live;
create unique index pix_charges_live on pix_charges (customer_id, installment_id, type, priced_on)
  where status in ('creating', 'pending');
