-- What offers say is in the outbox of messages: see docs/messages.md.
alter table offers drop column message;
alter table offers add check ((phone_sealed is null) = (phone_hash is null));

-- Who has something due on a day: reminders.
create index installments_due on installments (due_on, customer_id) where paid_at is null;
create index installments_late on installments (effective_due_on, customer_id) where paid_at is null;

-- The contract of a purchase, as it was when the purchase was accepted: sealed, the same bytes for ever.
alter table checkouts add column contract_sha256 text check (contract_sha256 ~ '^[0-9a-f]{64}$');
create table contracts (
  customer_id text not null,
  checkout_hash text not null,
  pdf bytea not null,
  created_at timestamptz not null,
  primary key (customer_id, checkout_hash),
  foreign key (customer_id, checkout_hash) references checkouts
);
