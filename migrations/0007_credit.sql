-- A purchase. What was agreed is frozen; the figures below are kept by the transaction that moves money, and follow from
-- the receipts: 'semana audit' recomputes them.
create table checkouts (
  customer_id text not null references customers,
  hash text not null check (hash ~ '^[0-9A-Za-z]{22}$'),
  -- As it was when the purchase was made; the catalog may rename it, or lose it, later.
  merchant_id bigint not null,
  merchant_slug text not null,
  merchant_name text not null,
  description text,
  -- null: made by the operator
  offer_id text,
  purchased_at timestamptz not null,
  created_at timestamptz not null,
  financed_cents bigint not null,
  total_cents bigint not null,
  installments_total smallint not null check (installments_total between 1 and 52),
  -- The terms, in parts per million: 2 % is 20000.
  weekly_rate_ppm integer not null,
  fine_ppm integer not null,
  late_interest_ppm integer not null,
  extension_fee_ppm integer not null,
  extension_days smallint not null,
  extension_limit smallint not null,
  cashback_ppm integer not null,
  -- What the credit costs (CET), of the amounts and days that were agreed.
  cet_month_ppm bigint not null check (cet_month_ppm >= 0),
  cet_year_ppm bigint not null check (cet_year_ppm >= cet_month_ppm),
  -- What the operator keeps of what is sold, and how many business days later it pays the merchant the rest.
  merchant_fee_ppm integer not null check (merchant_fee_ppm between 0 and 1000000),
  payout_days smallint not null check (payout_days >= 0),

  paid_cents bigint not null default 0,
  -- What the installments come to less since something was returned; above zero once anything was.
  returned_cents bigint not null default 0 check (returned_cents >= 0),
  -- When all of it was.
  returned_at timestamptz,
  outstanding_cents bigint not null,
  -- As of the last fact; what time adds to it is computed.
  penalty_cents bigint not null default 0 check (penalty_cents >= 0),
  installments_paid smallint not null default 0,
  -- The earliest due day of what is not paid.
  next_due_on date,
  -- It is overdue after this day: the earliest effective due day of what is not paid, and never when all is. So every
  -- status is a range of days: overdue before today, open from today on, paid at infinity.
  late_after date not null,
  settled_at timestamptz,
  -- In the book what is owed on it is a loss: see write_offs.
  written_off_at timestamptz,
  primary key (customer_id, hash),
  check (financed_cents > 0 and total_cents >= financed_cents),
  check ((outstanding_cents = 0 and penalty_cents = 0) = (settled_at is not null)),
  check ((late_after = 'infinity') = (settled_at is not null)),
  check ((next_due_on is null) = (settled_at is not null))
);
create index checkouts_newest_first on checkouts (customer_id, purchased_at desc, hash desc);
create index checkouts_by_status on checkouts (customer_id, late_after);
create index checkouts_of_merchant on checkouts (merchant_id, purchased_at desc, hash desc);
-- Lists of the operator, of all customers.
create index checkouts_by_day on checkouts (purchased_at desc, hash desc);
create index checkouts_not_paid on checkouts (late_after) where late_after < 'infinity';
create index checkouts_written_off on checkouts (purchased_at desc, hash desc) where written_off_at is not null;
create trigger checkouts_append_only before delete or truncate or update of
    customer_id, hash, merchant_id, merchant_slug, merchant_name, offer_id, purchased_at, created_at, financed_cents, total_cents,
    installments_total, weekly_rate_ppm, fine_ppm, late_interest_ppm, extension_fee_ppm, extension_days, extension_limit, cashback_ppm,
    cet_month_ppm, cet_year_ppm, merchant_fee_ppm, payout_days
  on checkouts for each statement execute function append_only();

-- Hashes are unique across customers; the operator, who has only the hash, finds the customer here.
create table checkout_hashes (
  hash text primary key,
  customer_id text not null
);

create table installments (
  customer_id text not null,
  id text not null,
  checkout_hash text not null,
  number smallint not null,
  amount_cents bigint not null check (amount_cents > 0),
  -- The parts of the amount: what was lent, and what having it costs.
  principal_cents bigint not null check (principal_cents >= 0),
  interest_cents bigint not null check (interest_cents >= 0),
  agreed_due_on date not null,

  -- After extensions; the effective one is the next business day.
  due_on date not null,
  effective_due_on date not null,
  paid_cents bigint not null default 0,
  discount_cents bigint not null default 0,
  -- What it comes to less; by rounding the last one may come to some centavos more.
  returned_cents bigint not null default 0,
  outstanding_cents bigint not null,
  -- As of the last fact. What had paid penalties can be taken back after the amount was settled: then nothing is
  -- outstanding and penalties are owed.
  penalty_cents bigint not null default 0 check (penalty_cents >= 0),
  -- What of the amount was taken off with cashback, and earns none.
  redeemed_cents bigint not null default 0,
  extensions smallint not null default 0,
  paid_at timestamptz,
  -- All that has happened to it, once something of the purchase was returned: money of other installments can pay it then.
  history jsonb,
  -- The effective due days for which it was told that it is overdue.
  overdue_told date[] not null default '{}',
  primary key (customer_id, id),
  unique (customer_id, checkout_hash, number),
  foreign key (customer_id, checkout_hash) references checkouts,
  check (amount_cents = principal_cents + interest_cents),
  check (amount_cents = paid_cents + discount_cents + returned_cents + outstanding_cents),
  check ((outstanding_cents = 0 and penalty_cents = 0) = (paid_at is not null)),
  check (paid_cents >= 0 and discount_cents >= 0 and outstanding_cents >= 0),
  check (redeemed_cents between 0 and paid_cents + discount_cents),
  check (effective_due_on >= due_on and due_on >= agreed_due_on)
);
-- For the operator, who has only the id.
create index installments_by_id on installments (id);
-- For reports: what is late, and what falls due when.
create index installments_unpaid on installments (effective_due_on) include (outstanding_cents) where paid_at is null;
create index installments_by_due_day on installments (due_on) include (amount_cents, returned_cents);
-- What falls due and was not told of yet, across customers: tell-overdue.ts.
create index installments_untold on installments (effective_due_on, customer_id)
  where paid_at is null and not (effective_due_on = any (overdue_told));
create trigger installments_append_only before delete or truncate or update of
    customer_id, id, checkout_hash, number, amount_cents, principal_cents, interest_cents, agreed_due_on
  on installments for each statement execute function append_only();

-- Something was returned: from then on the purchase is as if it had been for that much less.
create table returns (
  customer_id text not null,
  checkout_hash text not null,
  id text not null,
  -- In the order in which they were made.
  position bigint generated always as identity,
  -- Of what was bought for.
  amount_cents bigint not null check (amount_cents > 0),
  reason text not null,
  returned_at timestamptz not null,
  recorded_at timestamptz not null,
  -- The key or the member of the merchant, the person at the staff door, or the user of the command line.
  returned_by text not null,
  primary key (customer_id, id),
  foreign key (customer_id, checkout_hash) references checkouts
);
create index returns_of_checkout on returns (customer_id, checkout_hash, position);
create trigger returns_append_only before delete or truncate or update on returns
  for each statement execute function append_only('erasable');

-- What a merchant asked to return that would leave it owing more than it may: finance lets it through or refuses. What is let through
-- becomes a return with the same id. Not distributed: finance and merchants read it.
create table waiting_returns (
  id text primary key,
  merchant_id bigint not null,
  merchant_slug text not null,
  merchant_name text not null,
  customer_id text not null,
  checkout_hash text not null,
  amount_cents bigint not null check (amount_cents > 0),
  reason text not null,
  asked_at timestamptz not null,
  -- The key or the member of the merchant.
  asked_by text not null,
  status text not null default 'waiting' check (status in ('waiting', 'made', 'refused')),
  closed_at timestamptz,
  closed_by text,
  -- Why it was refused.
  refusal text,
  check ((status = 'waiting') = (closed_at is null)),
  check ((status = 'waiting') = (closed_by is null)),
  check ((status = 'refused') = (refusal is not null))
);
create index waiting_returns_newest_first on waiting_returns (asked_at desc, id desc);
create index waiting_returns_by_status on waiting_returns (status, asked_at desc, id desc);
create index waiting_returns_of_merchant on waiting_returns (merchant_id, asked_at desc, id desc);
create index waiting_returns_of_customer on waiting_returns (customer_id, asked_at);
create index waiting_returns_of_checkout on waiting_returns (checkout_hash) where status = 'waiting';
create trigger waiting_returns_append_only before delete or truncate or update of
    id, merchant_id, merchant_slug, merchant_name, customer_id, checkout_hash, amount_cents, reason, asked_at, asked_by
  on waiting_returns for each statement execute function append_only('erasable');

-- Nobody expects a purchase to be paid any more: in the book what is owed on it is a loss, until it is reinstated. It is owed all
-- the same.
create table write_offs (
  customer_id text not null,
  checkout_hash text not null,
  id text not null,
  reason text not null,
  written_off_at timestamptz not null,
  written_off_by text not null,
  reinstated_at timestamptz,
  reinstated_by text,
  primary key (customer_id, id),
  foreign key (customer_id, checkout_hash) references checkouts,
  check ((reinstated_at is null) = (reinstated_by is null))
);
create unique index write_offs_standing on write_offs (customer_id, checkout_hash) where reinstated_at is null;
create trigger write_offs_append_only before delete or truncate or update of
    customer_id, checkout_hash, id, reason, written_off_at, written_off_by
  on write_offs for each statement execute function append_only('erasable');

-- Money that arrived for an installment. The first part is fact. The second is what it came to, and follows from all
-- facts of the installment: one that is heard of late can change it.
create table receipts (
  customer_id text not null,
  -- What the sender of the money calls it (the end-to-end id of a Pix): it counts once.
  reference text not null,
  -- 0: the money as it arrived. Money of which the payer's bank took a part, or some left at a return, counts on as another part
  -- of itself.
  part smallint not null default 0 check (part >= 0),
  -- What came by Pix goes back by Pix, and cashback becomes cashback again.
  source text not null default 'pix' check (source in ('pix', 'cashback', 'manual')),
  installment_id text not null,
  checkout_hash text not null,
  -- Of two at the same instant the one heard of first comes first.
  position bigint generated always as identity,
  received_at timestamptz not null,
  recorded_at timestamptz not null,
  amount_cents bigint not null check (amount_cents > 0),
  purpose text not null check (purpose in ('pay', 'extend')),
  -- The day whose price the paid charge held.
  priced_on date,
  -- When the payer's bank took it back.
  reversed_at timestamptz,
  -- On its way back or back with the payer: no longer to be applied to anything.
  refunded_cents bigint not null default 0 check (refunded_cents >= 0),
  -- Left it without having been applied: taken by the payer's bank, or counted as another part.
  taken_cents bigint not null default 0 check (taken_cents >= 0),
  -- Became cashback: it could not go back.
  credited_cents bigint not null default 0 check (credited_cents >= 0),
  -- What left it at returns, in all and by return: it had paid something until then, and is another part from then on.
  left_cents bigint not null default 0 check (left_cents >= 0),
  left_at jsonb not null default '{}',

  outcome text not null check (outcome in ('payment', 'extension', 'nothing')),
  interest_cents bigint not null check (interest_cents >= 0),
  fine_cents bigint not null check (fine_cents >= 0),
  principal_cents bigint not null check (principal_cents >= 0),
  -- Given back for paying early, on top of the principal.
  discount_cents bigint not null check (discount_cents >= 0),
  fee_cents bigint not null check (fee_cents >= 0),
  extended_to date,
  -- Pays other installments of the purchase since something was returned.
  elsewhere_cents bigint not null default 0 check (elsewhere_cents >= 0),
  -- What of that is of their amounts, without penalties.
  elsewhere_principal_cents bigint not null default 0 check (elsewhere_principal_cents between 0 and elsewhere_cents),
  -- Too much: still to be refunded.
  excess_cents bigint not null check (excess_cents >= 0),
  primary key (customer_id, reference, part),
  foreign key (customer_id, installment_id) references installments,
  check (amount_cents = interest_cents + fine_cents + principal_cents + fee_cents + elsewhere_cents + excess_cents
                        + refunded_cents + taken_cents + credited_cents + left_cents),
  check ((outcome = 'extension') = (extended_to is not null)),
  check (outcome = 'extension' or fee_cents = 0),
  check (outcome = 'payment' or principal_cents + discount_cents = 0)
);
create index receipts_by_time on receipts (received_at) include (source, amount_cents) where part = 0;
create index receipts_of_checkout on receipts (customer_id, checkout_hash, received_at, position);
create trigger receipts_append_only before delete or truncate or update of
    customer_id, reference, part, source, installment_id, checkout_hash, received_at, recorded_at, amount_cents, purpose,
    priced_on
  on receipts for each statement execute function append_only();

-- How all purchases stood when a day was over, for reports: worked out from the facts once, and kept.
create table credit_days (
  day date primary key,
  figures jsonb not null,
  worked_out_at timestamptz not null
);

-- What a merchant offers, to whoever has a phone or to whoever claims it first. Not distributed: it belongs to no customer, at first.
create table offers (
  id text primary key,
  -- As it was when the offer was made.
  merchant_id bigint not null,
  merchant_slug text not null,
  merchant_name text not null,
  -- To whom it was made: sealed as customers are, and a keyed hash to find it by. Null: an open offer, for whoever claims it.
  phone_sealed bytea,
  phone_hash bytea,
  -- How an open offer is claimed. Whoever knows one of these can take it, so they are kept like phones: keyed hashes to find it by,
  -- and both together, sealed, for the merchant to read again.
  token_hash bytea,
  code_hash bytea,
  claim_sealed bytea,
  -- Which member of the merchant made it. null: the merchant's own server, or the operator
  member_id text,
  -- What the merchant calls it.
  reference text,
  description text,
  -- [{"name", "quantity", "amount_cents"}]
  items jsonb not null default '[]',
  -- Where the page leads back to.
  return_url text,
  amount_cents bigint not null check (amount_cents > 0),
  installments smallint not null check (installments between 1 and 52),
  -- The terms, as they will be frozen on the purchase.
  weekly_rate_ppm integer not null,
  fine_ppm integer not null,
  late_interest_ppm integer not null,
  extension_fee_ppm integer not null,
  extension_days smallint not null,
  extension_limit smallint not null,
  cashback_ppm integer not null,
  merchant_fee_ppm integer not null,
  payout_days smallint not null,
  created_at timestamptz not null,
  -- Moves once, when an open offer is claimed.
  expires_at timestamptz not null,

  -- One that is pending past its time is expired, though a job has yet to write it.
  status text not null default 'pending' check (status in ('pending', 'accepted', 'declined', 'expired', 'cancelled')),
  closed_at timestamptz,
  -- Whose it is, once it was claimed or accepted.
  customer_id text,
  claimed_at timestamptz,
  -- What was agreed, once it was accepted.
  checkout_hash text,
  accepted_installments smallint,
  -- Whether the phone was told of it. Null: there is none.
  message text check (message in ('queued', 'sent', 'failed')),
  check (num_nonnulls(phone_sealed, phone_hash, message) in (0, 3)),
  check (num_nonnulls(token_hash, code_hash, claim_sealed) = case when phone_sealed is null then 3 else 0 end),
  check (claimed_at is null or phone_sealed is null),
  check ((status = 'pending') = (closed_at is null)),
  check ((status = 'accepted') = (checkout_hash is not null)),
  check ((status = 'accepted' or claimed_at is not null) = (customer_id is not null)),
  check ((status = 'accepted') = (accepted_installments is not null))
);
-- One that came to nothing leaves its reference to another.
create unique index offers_live_reference on offers (merchant_id, reference) where status in ('pending', 'accepted');
create index offers_by_reference on offers (merchant_id, reference, created_at desc, id desc) where reference is not null;
create index offers_of_merchant on offers (merchant_id, created_at desc, id desc);
create unique index offers_by_token on offers (token_hash) where token_hash is not null;
create unique index offers_by_code on offers (code_hash) where code_hash is not null;
create index offers_to_phone on offers (phone_hash, created_at desc, id desc);
create index offers_by_reference_of_any on offers (reference) where reference is not null;
create index offers_newest_first on offers (created_at desc, id desc);
create index offers_by_status on offers (status, created_at desc, id desc);
create index offers_of_customer on offers (customer_id, created_at desc, id desc) where customer_id is not null;
create index offers_by_expiry on offers (expires_at) where status = 'pending';
create index offers_by_end on offers (closed_at) where status in ('declined', 'expired', 'cancelled');
create trigger offers_append_only before truncate or update of
    id, merchant_id, merchant_slug, merchant_name, phone_sealed, phone_hash, token_hash, code_hash, claim_sealed, reference, description,
    items, return_url, amount_cents, installments, weekly_rate_ppm, fine_ppm, late_interest_ppm, extension_fee_ppm,
    extension_days, extension_limit, cashback_ppm, merchant_fee_ppm, payout_days, created_at
  on offers for each statement execute function append_only('erasable');
