-- additive
-- A retried autopay debit that settles an installment waives the penalties since the due day.
alter table receipts
  add column waives_penalties boolean not null default false,
  add column waived_interest_cents bigint not null default 0 check (waived_interest_cents >= 0),
  add column waived_fine_cents bigint not null default 0 check (waived_fine_cents >= 0);
