-- A customer's cashback account, line by line: what the postings of the book that touch cashback_owed mean to the customer.
create table cashback_movements (
  customer_id text not null,
  -- 1, 2, 3, ... for each customer, in the order of the commits: a page of the statement is a range of these.
  position bigint not null,
  id text not null,
  posting_id bigint not null,
  kind text not null check (kind in ('earned', 'referral', 'redeemed', 'expired', 'reversed', 'adjusted')),
  -- Above zero: the customer has more.
  amount_cents bigint not null check (amount_cents <> 0),
  balance_after_cents bigint not null,
  -- All that was earned until then, and not taken back.
  earned_after_cents bigint not null,
  description text not null,
  checkout_hash text,
  -- The installment that earned it, lost it again or was paid with it.
  installment_id text,
  occurred_at timestamptz not null,
  -- The last day on which it counts.
  expires_on date,
  -- Of what expired or was taken back: the position of what had brought it.
  of_position bigint,
  primary key (customer_id, position),
  unique (customer_id, id),
  unique (customer_id, posting_id),
  foreign key (customer_id, posting_id) references ledger_postings,
  foreign key (customer_id, of_position) references cashback_movements,
  check ((amount_cents > 0) = (expires_on is not null)),
  check ((kind in ('expired', 'reversed')) = (of_position is not null)),
  -- What was redeemed and turns out not to have been owed comes back.
  check (kind in ('adjusted', 'redeemed') or (kind in ('expired', 'reversed')) = (amount_cents < 0))
);

-- Lists of the operator, of all customers.
create index cashback_movements_by_time on cashback_movements (occurred_at desc, id desc);
create index cashback_movements_by_kind on cashback_movements (kind, occurred_at desc, id desc);

-- Position and sums are nobody's to give: they follow from the line before. Whoever writes has locked the customer; else the
-- primary key refuses the second.
create function cashback_movements_follow() returns trigger language plpgsql as $$
declare
  last record;
begin
  select position, balance_after_cents, earned_after_cents into last from cashback_movements
  where customer_id = new.customer_id order by position desc limit 1;
  new.position := coalesce(last.position, 0) + 1;
  new.balance_after_cents := coalesce(last.balance_after_cents, 0) + new.amount_cents;
  new.earned_after_cents := coalesce(last.earned_after_cents, 0)
    + case when new.kind in ('earned', 'referral', 'reversed') then new.amount_cents else 0 end;
  return new;
end $$;
create trigger cashback_movements_follow before insert on cashback_movements
  for each row execute function cashback_movements_follow();
create trigger cashback_movements_append_only before update or delete or truncate on cashback_movements
  for each statement execute function append_only('erasable');

-- What is left of each amount that was credited. The lots of a customer hold together what the balance is, or nothing when
-- it is below zero.
create table cashback_lots (
  customer_id text not null,
  -- The movement that brought it.
  position bigint not null,
  -- null: not earned with an installment
  installment_id text,
  expires_on date not null,
  amount_cents bigint not null check (amount_cents > 0),
  remaining_cents bigint not null check (remaining_cents between 0 and amount_cents),
  expired_cents bigint not null default 0 check (expired_cents between 0 and amount_cents),
  reversed_at timestamptz,
  primary key (customer_id, position),
  foreign key (customer_id, position) references cashback_movements,
  check (remaining_cents = 0 or (expired_cents = 0 and reversed_at is null))
);
create index cashback_lots_left on cashback_lots (customer_id, expires_on, position) where remaining_cents > 0;
create index cashback_lots_to_expire on cashback_lots (expires_on, customer_id) where remaining_cents > 0;
-- An installment has earned once, unless it was taken back.
create unique index cashback_lots_of_installment on cashback_lots (customer_id, installment_id)
  where installment_id is not null and reversed_at is null;
create trigger cashback_lots_append_only before delete or truncate or update of
    customer_id, position, installment_id, expires_on, amount_cents
  on cashback_lots for each statement execute function append_only();

-- A lot with the line that brought it.
create view cashback_credits as
  select l.*, m.id, m.kind, m.checkout_hash, m.occurred_at
  from cashback_lots l join cashback_movements m on m.customer_id = l.customer_id and m.position = l.position;

-- Who invited a customer: one at most, and never in a circle. A walk through customers of all shards: not distributed.
create table referrers (
  customer_id text primary key,
  referrer_id text not null,
  check (customer_id <> referrer_id)
);

-- Those a customer was invited by, and they by others, up to whoever came by themselves.
create function referrers_of(customer text) returns setof text language sql stable as $$
  with recursive above as (
    select referrer_id from referrers where customer_id = customer
    union
    select r.referrer_id from above a join referrers r on r.customer_id = a.referrer_id)
  select referrer_id from above
$$;

create function referrers_no_circle() returns trigger language plpgsql as $$
begin
  if exists (select from referrers_of(new.referrer_id) as above where above = new.customer_id) then
    raise exception 'customer % would be invited in a circle', new.customer_id
      using errcode = 'check_violation', constraint = 'referrers_no_circle', table = 'referrers';
  end if;
  return null;
end $$;
create trigger referrers_no_circle after insert on referrers
  for each row execute function referrers_no_circle();
create trigger referrers_append_only before update or delete or truncate on referrers
  for each statement execute function append_only();

-- The same from the side of the one who invited, with what became of it.
create table invitations (
  -- Who invited.
  customer_id text not null references customers,
  invited_id text not null,
  -- As the one who invited may see it: masked, and sealed as customers are.
  invited_name_sealed bytea not null,
  invited_at timestamptz not null,
  -- What was promised at the time.
  referrer_reward_cents bigint not null check (referrer_reward_cents >= 0),
  invited_reward_cents bigint not null check (invited_reward_cents >= 0),
  -- What the invited must have paid off installments for it.
  min_paid_cents bigint not null check (min_paid_cents >= 0),
  -- Set while enough of what the invited paid in time stands: when both were credited, with what, and where it stands in
  -- their statements.
  rewarded_at timestamptz,
  reward_cents bigint,
  referrer_position bigint,
  invited_position bigint,
  primary key (customer_id, invited_id),
  foreign key (customer_id, referrer_position) references cashback_movements,
  check ((rewarded_at is null) = (reward_cents is null)),
  check ((coalesce(reward_cents, 0) > 0) = (referrer_position is not null)),
  check (rewarded_at is not null or invited_position is null)
);
create index invitations_newest_first on invitations (customer_id, invited_at desc, invited_id desc);
create index invitations_by_time on invitations (invited_at desc, invited_id desc);
create index invitations_rewarded on invitations (customer_id, rewarded_at) where reward_cents > 0;
create trigger invitations_append_only before delete or truncate or update of
    customer_id, invited_id, invited_name_sealed, invited_at, referrer_reward_cents, invited_reward_cents,
    min_paid_cents
  on invitations for each statement execute function append_only('erasable');
