-- additive
-- What the operator decides on credit by. The newest row of a role counts. Without one, the policy that is built in does.
create table credit_policies (
  version integer primary key check (version > 1),
  -- force: decides. shadow: is asked beside it, and decides nothing.
  role text not null check (role in ('force', 'shadow')),
  -- null: no shadow from here on
  policy jsonb check (role = 'shadow' or policy is not null),
  set_by text not null,
  set_at timestamptz not null
);
create trigger credit_policies_append_only before update or delete or truncate on credit_policies
  for each statement execute function append_only();

-- Every decision, with what it was made of. No names, phones or addresses.
create table credit_decisions (
  customer_id text not null references customers,
  id text not null,
  moment text not null check (moment in ('signup', 'accept', 'growth', 'late', 'review')),
  -- As it stands: a person's answer to a review replaces it.
  outcome text not null check (outcome in ('approved', 'review', 'declined')),
  limit_cents bigint not null check (limit_cents >= 0),
  -- As the policy decided it.
  decided text not null check (decided in ('approved', 'review', 'declined')),
  decided_limit_cents bigint not null,
  reasons text[] not null,
  -- 1: the policy that is built in
  policy_version integer not null,
  facts jsonb not null,
  offer_id text,
  merchant_id bigint,
  -- What the shadow would have said.
  shadow_version integer,
  shadow_outcome text check (shadow_outcome in ('approved', 'review', 'declined')),
  shadow_limit_cents bigint,
  decided_at timestamptz not null,
  answered_by text,
  answered_at timestamptz,
  answer_reason text,
  primary key (customer_id, id),
  check ((answered_at is null) = (answered_by is null)),
  check ((shadow_version is null) = (shadow_outcome is null))
);
-- One that waits of each kind, and one of each outcome for an offer, however often it is tried.
create unique index credit_decisions_waiting on credit_decisions (customer_id, moment)
  where outcome = 'review' and offer_id is null;
create unique index credit_decisions_of_offer on credit_decisions (customer_id, offer_id, outcome) where offer_id is not null;
create index credit_decisions_of_customer on credit_decisions (customer_id, decided_at desc);
-- For the operator, who has only the id; and lists of all customers.
create index credit_decisions_by_id on credit_decisions (id);
create index credit_decisions_by_time on credit_decisions (decided_at desc, id desc);
create index credit_decisions_by_shadow on credit_decisions (shadow_version, decided_at desc, id desc)
  where shadow_version is not null;
create index credit_decisions_by_outcome on credit_decisions (outcome, decided_at desc, id desc);

-- The limit that was decided, beside the one that counts (customers). Where they differ, or there is none, a person has set the limit
-- by hand, and no policy changes it.
create table credit_standings (
  customer_id text primary key references customers,
  limit_cents bigint not null check (limit_cents >= 0),
  -- A higher one that waits for the customer's yes.
  offered_cents bigint check (offered_cents > limit_cents)
);

-- What the bureau said, and under which terms of use the customer agreed to its being asked.
create table bureau_reports (
  customer_id text not null references customers,
  asked_at timestamptz not null,
  consent text not null,
  score smallint not null,
  cpf_irregular boolean not null,
  primary key (customer_id, asked_at)
);

-- What was sold and lost at each merchant, of all customers; written anew every night.
create table merchant_losses (
  merchant_id bigint primary key,
  sold_cents bigint not null,
  lost_cents bigint not null
);

-- Also those who were removed: see wasMember.
create index members_by_any_phone on members (phone_hash);
