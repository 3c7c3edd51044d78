-- What merchants are to be paid. One payout for each merchant and batch.
create table payouts (
  id text primary key,
  merchant_id bigint not null,
  -- As it was when the payout was made.
  merchant_slug text not null,
  merchant_name text not null,
  amount_cents bigint not null check (amount_cents > 0),
  -- The latest due day of what it pays.
  due_on date not null,
  created_at timestamptz not null,
  status text not null default 'pending' check (status in ('pending', 'paid', 'failed')),
  -- When it was paid or failed.
  closed_at timestamptz,
  -- What the bank calls it, once it is paid.
  reference text,
  -- Why it failed.
  reason text,
  check ((status = 'pending') = (closed_at is null)),
  check ((status = 'paid') = (reference is not null)),
  check ((status = 'failed') = (reason is not null))
);
create index payouts_newest_first on payouts (created_at desc, id desc);
create index payouts_by_status on payouts (status, created_at desc, id desc);
create index payouts_of_merchant on payouts (merchant_id, created_at desc, id desc);
create trigger payouts_append_only before delete or truncate or update of
    id, merchant_id, merchant_slug, merchant_name, amount_cents, due_on, created_at
  on payouts for each statement execute function append_only();

-- Where a merchant is paid, as far as it is known. A CNPJ, or the CPF of who sells in their own name.
create table payout_accounts (
  merchant_id bigint primary key,
  pix_key text not null,
  holder_name text not null,
  tax_id text not null check (tax_id ~ '^([0-9]{11}|[0-9]{14})$')
);

-- A merchant's account, line by line. A sale only adds lines: no row is shared by two sales, so none waits for another.
create table merchant_lines (
  merchant_id bigint not null,
  id text not null,
  -- In the order of writing: of two at the same instant the first comes first.
  position bigint generated always as identity,
  kind text not null check (kind in ('sale', 'fee', 'return', 'return_fee', 'payout', 'payout_failed')),
  -- Above zero: the merchant is owed more.
  amount_cents bigint not null check (amount_cents <> 0),
  -- From this day on a payout takes it in.
  due_on date not null,
  merchant_slug text not null,
  merchant_name text not null,
  checkout_hash text,
  -- The payout it tells of.
  of_payout_id text references payouts,
  -- The payout it was settled with; what has none is still to be settled. The lines of a payout come to zero.
  payout_id text references payouts,
  occurred_at timestamptz not null,
  primary key (merchant_id, id),
  check ((kind in ('sale', 'return_fee', 'payout_failed')) = (amount_cents > 0)),
  check ((kind in ('payout', 'payout_failed')) = (of_payout_id is not null)),
  check ((of_payout_id is null) = (checkout_hash is not null)),
  check (kind <> 'payout' or payout_id = of_payout_id)
);
create index merchant_lines_in_order on merchant_lines (merchant_id, occurred_at, position) include (amount_cents);
-- What a merchant is owed is what these come to, since the lines of a payout come to zero.
create index merchant_lines_to_settle on merchant_lines (merchant_id, due_on) include (amount_cents) where payout_id is null;
create index merchant_lines_of_payout on merchant_lines (payout_id, occurred_at, position);
create index merchant_lines_of_checkout on merchant_lines (checkout_hash);
-- A sale and its fee are written once, and so is what becomes of a payout.
create unique index merchant_lines_of_sale on merchant_lines (checkout_hash, kind) where kind in ('sale', 'fee');
create unique index merchant_lines_about_payout on merchant_lines (of_payout_id, kind) where of_payout_id is not null;
create trigger merchant_lines_append_only before delete or truncate or update of
    merchant_id, id, kind, amount_cents, due_on, merchant_slug, merchant_name, checkout_hash, of_payout_id, occurred_at
  on merchant_lines for each statement execute function append_only();
-- What was settled stays settled, with the same payout.
create function merchant_lines_settled_once() returns trigger language plpgsql as $$
begin
  if old.payout_id is not null and new.payout_id is distinct from old.payout_id then
    raise exception 'line % was settled with payout %', old.id, old.payout_id
      using errcode = 'check_violation', constraint = 'merchant_lines_settled_once', table = 'merchant_lines';
  end if;
  return new;
end $$;
create trigger merchant_lines_settled_once before update of payout_id on merchant_lines
  for each row execute function merchant_lines_settled_once();
