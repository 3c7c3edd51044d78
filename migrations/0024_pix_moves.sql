-- additive
-- A payment that a person moved to another installment, of the same customer or of another: one row for each side. The money itself is
-- in receipts and in the ledger, as new entries.
create table pix_moves (
  customer_id text not null,
  id text not null,
  -- from: it counted here until then. to: it counts here from then on.
  side text not null check (side in ('from', 'to')),
  -- In the order in which they were made.
  position bigint generated always as identity,
  end_to_end_id text not null,
  charge_id text not null,
  installment_id text not null,
  checkout_hash text not null,
  amount_cents bigint not null check (amount_cents > 0),
  reason text not null,
  moved_at timestamptz not null,
  moved_by text not null,
  primary key (customer_id, id, side),
  foreign key (customer_id, charge_id) references pix_charges
);
create index pix_moves_of_payment on pix_moves (end_to_end_id, position);
create index pix_moves_of_charge on pix_moves (customer_id, charge_id);
create trigger pix_moves_append_only before delete or truncate or update on pix_moves
  for each statement execute function append_only('erasable');

-- Set where the payment counts for another customer by now. Which charge and installment it counts for changes with a move.
alter table pix_payments add column moved_at timestamptz;
drop trigger pix_payments_append_only on pix_payments;
create trigger pix_payments_append_only before delete or truncate or update of
    customer_id, end_to_end_id, amount_cents, paid_at, recorded_at
  on pix_payments for each statement execute function append_only();

-- For lists of the staff door: every filter has an index, in the order of its list.
create index pix_payments_by_end_to_end_id on pix_payments (end_to_end_id);
create index pix_charges_by_type on pix_charges (type, created_at desc, id desc) where br_code is not null;
create index invitations_by_reward on invitations (invited_at desc, invited_id desc) where rewarded_at is not null;
create index audit_trail_by_kind on audit_trail (subject_kind, at desc, id desc);
-- With the status in it: the newest that are late or paid are found without reading those that are not.
drop index checkouts_by_day;
create index checkouts_by_day on checkouts (purchased_at desc, hash desc, late_after);
