-- The book of all money. A posting is a set of entries that add up to zero; none is ever changed or taken out.
create table ledger_postings (
  customer_id text not null references customers,
  -- Given while the customer's row is locked: one customer's postings are numbered in the order they were committed.
  id bigint generated always as identity,
  -- What it was posted for, e.g. 'receipt E1234...': nothing is posted twice.
  reference text not null,
  kind text not null,
  occurred_at timestamptz not null,
  posted_at timestamptz not null,
  -- When the database was told, whatever the clock said that dated it: tells what is backdated.
  written_at timestamptz not null default now(),
  primary key (customer_id, id),
  unique (customer_id, reference)
);

create table ledger_entries (
  customer_id text not null,
  posting_id bigint not null,
  line smallint not null,
  account text not null check (account in (
    'receivable', 'merchant_payable', 'finance_income', 'penalty_income', 'extension_income', 'pix_clearing',
    'refunds_payable', 'cashback_expense', 'cashback_owed', 'cashback_clearing', 'credit_losses')),
  -- null: it belongs to no single installment
  installment_id text,
  -- Whose account it is: each merchant has one.
  merchant_id bigint check ((account = 'merchant_payable') = (merchant_id is not null)),
  -- Debits above zero, credits below.
  amount_cents bigint not null check (amount_cents <> 0),
  primary key (customer_id, posting_id, line),
  foreign key (customer_id, posting_id) references ledger_postings
);

-- What a statement adds to a posting must be in balance: so every posting is, always.
create function ledger_entries_balance() returns trigger language plpgsql as $$
declare
  wrong record;
begin
  select posting_id, sum(amount_cents) as off_by into wrong from added
  group by customer_id, posting_id having sum(amount_cents) <> 0 limit 1;
  if found then
    raise exception 'posting % is out of balance by % centavos', wrong.posting_id, wrong.off_by
      using errcode = 'check_violation', constraint = 'ledger_entries_balance', table = 'ledger_entries';
  end if;
  return null;
end $$;
create trigger ledger_entries_balance after insert on ledger_entries referencing new table as added
  for each statement execute function ledger_entries_balance();

create index ledger_postings_by_time on ledger_postings (posted_at);
-- Dated by a clock that is behind: their day may be closed without them. Empty unless the sandbox's clock was set back.
create index ledger_postings_backdated on ledger_postings (posted_at)
  where written_at - posted_at > interval '30 minutes';
create trigger ledger_postings_append_only before update or delete or truncate on ledger_postings
  for each statement execute function append_only();
create trigger ledger_entries_append_only before update or delete or truncate on ledger_entries
  for each statement execute function append_only();

-- The merchants' side of the book: movements that concern a merchant and no customer. The same rules.
create table merchant_postings (
  merchant_id bigint not null,
  id bigint generated always as identity,
  -- What it was posted for, e.g. 'payout pay_01...': nothing is posted twice.
  reference text not null,
  kind text not null,
  occurred_at timestamptz not null,
  posted_at timestamptz not null,
  written_at timestamptz not null default now(),
  primary key (merchant_id, id),
  unique (merchant_id, reference)
);
create index merchant_postings_by_time on merchant_postings (posted_at);
create index merchant_postings_backdated on merchant_postings (posted_at)
  where written_at - posted_at > interval '30 minutes';
create index merchant_postings_by_reference on merchant_postings (reference);

create table merchant_entries (
  merchant_id bigint not null,
  posting_id bigint not null,
  line smallint not null,
  account text not null check (account in ('merchant_payable', 'fee_income', 'payout_clearing')),
  amount_cents bigint not null check (amount_cents <> 0),
  primary key (merchant_id, posting_id, line),
  foreign key (merchant_id, posting_id) references merchant_postings
);

create function merchant_entries_balance() returns trigger language plpgsql as $$
declare
  wrong record;
begin
  select posting_id, sum(amount_cents) as off_by into wrong from added
  group by merchant_id, posting_id having sum(amount_cents) <> 0 limit 1;
  if found then
    raise exception 'merchant posting % is out of balance by % centavos', wrong.posting_id, wrong.off_by
      using errcode = 'check_violation', constraint = 'merchant_entries_balance', table = 'merchant_entries';
  end if;
  return null;
end $$;
create trigger merchant_entries_balance after insert on merchant_entries referencing new table as added
  for each statement execute function merchant_entries_balance();

create trigger merchant_postings_append_only before update or delete or truncate on merchant_postings
  for each statement execute function append_only();
create trigger merchant_entries_append_only before update or delete or truncate on merchant_entries
  for each statement execute function append_only();

-- What was posted on each day of São Paulo, by account, on both sides of the book: for reports. Of days that are over, up to the one
-- they are closed to. What was posted since, and what is backdated, is added up when somebody asks.
create table ledger_days (
  day date not null,
  account text not null,
  amount_cents bigint not null,
  primary key (day, account)
);
create table ledger_closing (
  only_row boolean primary key default true check (only_row),
  closed_to date not null
);
create trigger ledger_days_append_only before update or delete or truncate on ledger_days
  for each statement execute function append_only();
