-- What had paid penalties can be taken back after the amount was settled: then nothing is outstanding and penalties are owed.
alter table installments
  -- As of the last fact; what time adds to it is computed.
  add penalty_cents bigint not null default 0 check (penalty_cents >= 0),
  drop constraint installments_check2,
  add check ((outstanding_cents = 0 and penalty_cents = 0) = (paid_at is not null));
alter table checkouts
  add penalty_cents bigint not null default 0 check (penalty_cents >= 0),
  drop constraint checkouts_check1,
  add check ((outstanding_cents = 0 and penalty_cents = 0) = (settled_at is not null));

-- Money of which the payer's bank took a part counts on as another part of itself, from then on.
alter table receipts
  -- 0: the money as it arrived.
  add part smallint not null default 0 check (part >= 0),
  -- What came by Pix goes back by Pix.
  add source text not null default 'pix' check (source in ('pix', 'manual')),
  -- Left it without having been applied: taken by the payer's bank, or counted as another part.
  add taken_cents bigint not null default 0 check (taken_cents >= 0),
  drop constraint receipts_pkey,
  add primary key (customer_id, reference, part),
  drop constraint receipts_check,
  add check (amount_cents = interest_cents + fine_cents + principal_cents + fee_cents + excess_cents + refunded_cents
                          + taken_cents);
drop trigger receipts_append_only on receipts;
create trigger receipts_append_only before delete or truncate or update of
    customer_id, reference, part, source, installment_id, checkout_hash, received_at, recorded_at, amount_cents, purpose,
    priced_on
  on receipts for each statement execute function append_only();

alter table pix_payments drop column receipt;
alter table pix_refunds
  drop column receipt,
  -- The part of the payment's money that it is to return.
  add part smallint not null default 0,
  -- Given up, and still here: owed to the payer.
  add stranded_cents bigint not null default 0 check (stranded_cents >= 0),
  add check ((status = 'given_up') = (stranded_cents > 0));
drop index pix_refunds_given_up;
create index pix_refunds_stranded on pix_refunds (created_at desc, id) where stranded_cents > 0;
