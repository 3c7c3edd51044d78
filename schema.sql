-- The schema that the migrations give. Written by 'npm run generate'; change migrations/ instead.
-- Tables whose names begin with sandbox_ or psp_sim_ exist in the sandbox only.
set check_function_bodies = off; -- a function may refer to tables that are created later

-- Sequences

create sequence merchant_revisions as bigint start 1 increment 1;

-- Functions

CREATE OR REPLACE FUNCTION public.append_only()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if current_setting('semana.resetting', true) = 'on' then
    return null;
  end if;
  if tg_op = 'UPDATE' and tg_nargs > 0 and current_setting('semana.erasing', true) = 'on' then
    return null;
  end if;
  raise exception '% of % is refused: it is append-only', lower(tg_op), tg_table_name
    using errcode = 'restrict_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.cashback_movements_follow()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.checkouts_queue_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  purchase_week constant date := date_trunc('week', new.purchased_at at time zone 'America/Sao_Paulo');
  written_off_sign constant int := (new.written_off_at is not null)::int;
begin
  insert into credit_changes (customer_id, week, late_after, is_returned, item_count, financed_cents, total_cents, paid_cents,
                              returned_cents, outstanding_cents, written_off_count, written_off_cents)
  values (new.customer_id, purchase_week, new.late_after, new.returned_at is not null, 1, new.financed_cents, new.total_cents,
          new.paid_cents, new.returned_cents, new.outstanding_cents, written_off_sign, written_off_sign * new.outstanding_cents);
  if tg_op = 'INSERT' then return null; end if;
  insert into credit_changes (customer_id, week, late_after, is_returned, item_count, financed_cents, total_cents, paid_cents,
                              returned_cents, outstanding_cents, written_off_count, written_off_cents)
  values (old.customer_id, purchase_week, old.late_after, old.returned_at is not null, -1, -old.financed_cents, -old.total_cents,
          -old.paid_cents, -old.returned_cents, -old.outstanding_cents, -(old.written_off_at is not null)::int,
          case when old.written_off_at is null then 0 else -old.outstanding_cents end);
  if (old.written_off_at is null) <> (new.written_off_at is null) then
    insert into credit_changes (customer_id, week, effective_due_on, due_on, item_count, total_cents, returned_cents, outstanding_cents,
                                written_off_cents)
    select customer_id, purchase_week, effective_due_on, due_on, 0, 0, 0, 0, (2 * written_off_sign - 1) * outstanding_cents
    from installments
    where customer_id = new.customer_id and checkout_hash = new.hash and outstanding_cents > 0;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.installments_queue_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  purchase_week constant date := date_trunc('week', new.agreed_due_on - 7 * new.number);
  written_off_sign constant int := (exists (
    select from checkouts where customer_id = new.customer_id and hash = new.checkout_hash and written_off_at is not null))::int;
begin
  if old.effective_due_on = new.effective_due_on and old.due_on = new.due_on then
    insert into credit_changes (customer_id, week, effective_due_on, due_on, item_count, total_cents, returned_cents,
                                outstanding_cents, written_off_cents)
    values (new.customer_id, purchase_week, new.effective_due_on, new.due_on,
            (new.outstanding_cents > 0)::int - (old.outstanding_cents > 0)::int, 0, new.returned_cents - old.returned_cents,
            new.outstanding_cents - old.outstanding_cents, written_off_sign * (new.outstanding_cents - old.outstanding_cents));
    return null;
  end if;
  insert into credit_changes (customer_id, week, effective_due_on, due_on, item_count, total_cents, returned_cents, outstanding_cents,
                              written_off_cents)
  values (new.customer_id, purchase_week, new.effective_due_on, new.due_on, (new.outstanding_cents > 0)::int, new.amount_cents,
          new.returned_cents, new.outstanding_cents, written_off_sign * new.outstanding_cents),
         (old.customer_id, purchase_week, old.effective_due_on, old.due_on, -(old.outstanding_cents > 0)::int, -old.amount_cents,
          -old.returned_cents, -old.outstanding_cents, -written_off_sign * old.outstanding_cents);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.installments_queue_new()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  purchase record;
begin
  for purchase in
    select customer_id, min(date_trunc('week', agreed_due_on - 7 * number))::date as week,
           jsonb_agg(jsonb_build_object(
             'effective_due_on', effective_due_on, 'due_on', due_on, 'amount_cents', amount_cents,
             'returned_cents', returned_cents, 'outstanding_cents', outstanding_cents)) as installments
    from added group by customer_id, checkout_hash
  loop
    insert into credit_changes (customer_id, week, item_count, total_cents, returned_cents, outstanding_cents, written_off_cents,
                                new_installments)
    values (purchase.customer_id, purchase.week, 0, 0, 0, 0, 0, purchase.installments);
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_entries_balance()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.merchant_entries_balance()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.merchant_lines_settled_once()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.payout_id is not null and new.payout_id is distinct from old.payout_id then
    raise exception 'line % was settled with payout %', old.id, old.payout_id
      using errcode = 'check_violation', constraint = 'merchant_lines_settled_once', table = 'merchant_lines';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.merchants_advance()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.revision := nextval('merchant_revisions');
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.merchants_notify_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare first_revision bigint := (select min(revision) from changed);
begin
  if first_revision is not null then
    perform pg_notify('semana_changes', 'merchants from ' || first_revision);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.notify_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('semana_changes', tg_argv[0]);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.referrers_no_circle()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from referrers_of(new.referrer_id) as above where above = new.customer_id) then
    raise exception 'customer % would be invited in a circle', new.customer_id
      using errcode = 'check_violation', constraint = 'referrers_no_circle', table = 'referrers';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.referrers_of(customer text)
 RETURNS SETOF text
 LANGUAGE sql
 STABLE
AS $function$
  with recursive above as (
    select referrer_id from referrers where customer_id = customer
    union
    select r.referrer_id from above a join referrers r on r.customer_id = a.referrer_id)
  select referrer_id from above
$function$;

CREATE OR REPLACE FUNCTION public.refuse(rows text)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'a limit is reached' using errcode = 'SM429', detail = rows;
end $function$;

CREATE OR REPLACE FUNCTION public.sandbox_clock_notify()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('semana_changes', 'clock ' || new.revision || ' ' || new.offset_ms);
  return null;
end $function$;


-- agreements

create table agreements (
  kind text not null,
  version text not null,
  sections jsonb not null,
  published_by text not null,
  published_at timestamp with time zone not null,
  constraint agreements_pkey PRIMARY KEY (kind, version),
  constraint agreements_kind_check CHECK ((kind = ANY (ARRAY['terms'::text, 'privacy'::text])))
);

-- api_keys

create table api_keys (
  id text not null,
  partner_id text not null,
  label text not null,
  hash bytea not null,
  hint text not null,
  scopes text[] not null,
  allowed_origins text[] not null default '{}'::text[],
  return_origins text[] not null default '{}'::text[],
  requests_per_minute integer,
  backend boolean not null default false,
  merchant_id bigint,
  person_id text,
  role text,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  replaces text,
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_hash_key UNIQUE (hash),
  constraint api_keys_check CHECK ((('merchant'::text = ANY (scopes)) = (merchant_id IS NOT NULL))),
  constraint api_keys_check1 CHECK (((('operator'::text = ANY (scopes)) = (person_id IS NOT NULL)) AND ((person_id IS NULL) = (role IS NULL)))),
  constraint api_keys_requests_per_minute_check CHECK ((requests_per_minute > 0)),
  constraint api_keys_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'content'::text, 'support'::text, 'risk'::text, 'finance'::text, 'admin'::text]))),
  constraint api_keys_scopes_check CHECK (((cardinality(scopes) > 0) AND (scopes <@ ARRAY['public'::text, 'wallet'::text, 'merchant'::text, 'till'::text, 'operator'::text]))),
  constraint api_keys_scopes_check1 CHECK ((NOT (scopes @> ARRAY['merchant'::text, 'till'::text])))
);

-- approvals

create table approvals (
  id text not null,
  kind text not null,
  amount_cents bigint,
  subject text not null,
  reason text,
  status text not null,
  asked_by text not null,
  asked_at timestamp with time zone not null,
  decided_by text,
  decided_at timestamp with time zone,
  done_at timestamp with time zone,
  outcome text,
  request_sealed bytea,
  request_hash bytea not null,
  subject_kind text,
  details_sealed bytea,
  constraint approvals_pkey PRIMARY KEY (id),
  constraint approvals_check CHECK (((status = 'waiting'::text) = (decided_at IS NULL))),
  constraint approvals_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'approved'::text, 'refused'::text, 'failed'::text, 'expired'::text])))
);

-- attempt_windows

create table attempt_windows (
  kind text not null,
  subject bytea not null,
  about bytea,
  hits timestamp with time zone[] not null,
  pending timestamp with time zone[] not null default '{}'::timestamp with time zone[],
  granted boolean not null,
  reopens_at timestamp with time zone,
  forget_at timestamp with time zone not null,
  constraint attempt_windows_pkey PRIMARY KEY (kind, subject)
) with (fillfactor=70);

-- audit_trail

create table audit_trail (
  id bigint not null generated always as identity,
  at timestamp with time zone not null,
  actor text not null,
  address text,
  request_id text,
  action text not null,
  subject_kind text not null,
  subject_id text not null,
  before jsonb,
  after jsonb,
  reason text,
  approved_by text,
  constraint audit_trail_pkey PRIMARY KEY (id)
);

-- bureau_reports

create table bureau_reports (
  customer_id text not null,
  asked_at timestamp with time zone not null,
  consent text not null,
  score smallint not null,
  cpf_irregular boolean not null,
  constraint bureau_reports_pkey PRIMARY KEY (customer_id, asked_at)
);

-- calendar_feeds

create table calendar_feeds (
  secret_hash bytea not null,
  customer_id text not null,
  created_at timestamp with time zone not null,
  constraint calendar_feeds_pkey PRIMARY KEY (secret_hash)
);

-- cashback_lots

create table cashback_lots (
  customer_id text not null,
  "position" bigint not null,
  installment_id text,
  expires_on date not null,
  amount_cents bigint not null,
  remaining_cents bigint not null,
  expired_cents bigint not null default 0,
  reversed_at timestamp with time zone,
  constraint cashback_lots_pkey PRIMARY KEY (customer_id, "position"),
  constraint cashback_lots_amount_cents_check CHECK ((amount_cents > 0)),
  constraint cashback_lots_check CHECK (((remaining_cents >= 0) AND (remaining_cents <= amount_cents))),
  constraint cashback_lots_check1 CHECK (((expired_cents >= 0) AND (expired_cents <= amount_cents))),
  constraint cashback_lots_check2 CHECK (((remaining_cents = 0) OR ((expired_cents = 0) AND (reversed_at IS NULL))))
);

-- cashback_movements

create table cashback_movements (
  customer_id text not null,
  "position" bigint not null,
  id text not null,
  posting_id bigint not null,
  kind text not null,
  amount_cents bigint not null,
  balance_after_cents bigint not null,
  earned_after_cents bigint not null,
  description text not null,
  checkout_hash text,
  installment_id text,
  occurred_at timestamp with time zone not null,
  expires_on date,
  of_position bigint,
  constraint cashback_movements_pkey PRIMARY KEY (customer_id, "position"),
  constraint cashback_movements_customer_id_id_key UNIQUE (customer_id, id),
  constraint cashback_movements_customer_id_posting_id_key UNIQUE (customer_id, posting_id),
  constraint cashback_movements_amount_cents_check CHECK ((amount_cents <> 0)),
  constraint cashback_movements_check CHECK (((amount_cents > 0) = (expires_on IS NOT NULL))),
  constraint cashback_movements_check1 CHECK (((kind = ANY (ARRAY['expired'::text, 'reversed'::text])) = (of_position IS NOT NULL))),
  constraint cashback_movements_check2 CHECK (((kind = ANY (ARRAY['adjusted'::text, 'redeemed'::text])) OR ((kind = ANY (ARRAY['expired'::text, 'reversed'::text])) = (amount_cents < 0)))),
  constraint cashback_movements_kind_check CHECK ((kind = ANY (ARRAY['earned'::text, 'referral'::text, 'redeemed'::text, 'expired'::text, 'reversed'::text, 'adjusted'::text])))
);

-- categories

create table categories (
  slug text not null,
  name text not null,
  constraint categories_pkey PRIMARY KEY (slug)
);

-- channel_health

create table channel_health (
  channel text not null,
  failures integer not null,
  last_failed_at timestamp with time zone not null,
  constraint channel_health_pkey PRIMARY KEY (channel)
);

-- checkout_hashes

create table checkout_hashes (
  hash text not null,
  customer_id text not null,
  constraint checkout_hashes_pkey PRIMARY KEY (hash)
);

-- checkouts

create table checkouts (
  customer_id text not null,
  hash text not null,
  merchant_id bigint not null,
  merchant_slug text not null,
  merchant_name text not null,
  description text,
  offer_id text,
  purchased_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  financed_cents bigint not null,
  total_cents bigint not null,
  installments_total smallint not null,
  weekly_rate_ppm integer not null,
  fine_ppm integer not null,
  late_interest_ppm integer not null,
  extension_fee_ppm integer not null,
  extension_days smallint not null,
  extension_limit smallint not null,
  cashback_ppm integer not null,
  cet_month_ppm bigint not null,
  cet_year_ppm bigint not null,
  merchant_fee_ppm integer not null,
  payout_days smallint not null,
  paid_cents bigint not null default 0,
  returned_cents bigint not null default 0,
  returned_at timestamp with time zone,
  outstanding_cents bigint not null,
  penalty_cents bigint not null default 0,
  installments_paid smallint not null default 0,
  next_due_on date,
  late_after date not null,
  settled_at timestamp with time zone,
  written_off_at timestamp with time zone,
  contract_sha256 text,
  constraint checkouts_pkey PRIMARY KEY (customer_id, hash),
  constraint checkouts_cet_month_ppm_check CHECK ((cet_month_ppm >= 0)),
  constraint checkouts_check CHECK ((cet_year_ppm >= cet_month_ppm)),
  constraint checkouts_check1 CHECK (((financed_cents > 0) AND (total_cents >= financed_cents))),
  constraint checkouts_check2 CHECK ((((outstanding_cents = 0) AND (penalty_cents = 0)) = (settled_at IS NOT NULL))),
  constraint checkouts_check3 CHECK (((late_after = 'infinity'::date) = (settled_at IS NOT NULL))),
  constraint checkouts_check4 CHECK (((next_due_on IS NULL) = (settled_at IS NOT NULL))),
  constraint checkouts_contract_sha256_check CHECK ((contract_sha256 ~ '^[0-9a-f]{64}$'::text)),
  constraint checkouts_hash_check CHECK ((hash ~ '^[0-9A-Za-z]{22}$'::text)),
  constraint checkouts_installments_total_check CHECK (((installments_total >= 1) AND (installments_total <= 52))),
  constraint checkouts_merchant_fee_ppm_check CHECK (((merchant_fee_ppm >= 0) AND (merchant_fee_ppm <= 1000000))),
  constraint checkouts_payout_days_check CHECK ((payout_days >= 0)),
  constraint checkouts_penalty_cents_check CHECK ((penalty_cents >= 0)),
  constraint checkouts_returned_cents_check CHECK ((returned_cents >= 0))
);

-- contracts

create table contracts (
  customer_id text not null,
  checkout_hash text not null,
  pdf bytea,
  created_at timestamp with time zone not null,
  content bytea,
  constraint contracts_pkey PRIMARY KEY (customer_id, checkout_hash),
  constraint contracts_check CHECK (((content IS NOT NULL) OR (pdf IS NOT NULL)))
);

-- credit_changes

create table credit_changes (
  customer_id text not null,
  "position" bigint not null generated always as identity,
  week date not null,
  late_after date,
  is_returned boolean not null default false,
  effective_due_on date,
  due_on date,
  item_count bigint not null,
  financed_cents bigint not null default 0,
  total_cents bigint not null,
  paid_cents bigint not null default 0,
  returned_cents bigint not null,
  outstanding_cents bigint not null,
  written_off_count bigint not null default 0,
  written_off_cents bigint not null,
  new_installments jsonb,
  constraint credit_changes_pkey PRIMARY KEY (customer_id, "position")
);

-- credit_day_progress

create table credit_day_progress (
  day date not null,
  figures jsonb not null,
  computed_up_to text not null,
  customers integer not null,
  all_customers integer not null,
  constraint credit_day_progress_pkey PRIMARY KEY (day)
);

-- credit_days

create table credit_days (
  day date not null,
  figures jsonb not null,
  worked_out_at timestamp with time zone not null,
  constraint credit_days_pkey PRIMARY KEY (day)
);

-- credit_decisions

create table credit_decisions (
  customer_id text not null,
  id text not null,
  moment text not null,
  outcome text not null,
  limit_cents bigint not null,
  decided text not null,
  decided_limit_cents bigint not null,
  reasons text[] not null,
  policy_version integer not null,
  facts jsonb not null,
  offer_id text,
  merchant_id bigint,
  shadow_version integer,
  shadow_outcome text,
  shadow_limit_cents bigint,
  decided_at timestamp with time zone not null,
  answered_by text,
  answered_at timestamp with time zone,
  answer_reason text,
  constraint credit_decisions_pkey PRIMARY KEY (customer_id, id),
  constraint credit_decisions_check CHECK (((answered_at IS NULL) = (answered_by IS NULL))),
  constraint credit_decisions_check1 CHECK (((shadow_version IS NULL) = (shadow_outcome IS NULL))),
  constraint credit_decisions_decided_check CHECK ((decided = ANY (ARRAY['approved'::text, 'review'::text, 'declined'::text]))),
  constraint credit_decisions_limit_cents_check CHECK ((limit_cents >= 0)),
  constraint credit_decisions_moment_check CHECK ((moment = ANY (ARRAY['signup'::text, 'accept'::text, 'growth'::text, 'late'::text, 'review'::text]))),
  constraint credit_decisions_outcome_check CHECK ((outcome = ANY (ARRAY['approved'::text, 'review'::text, 'declined'::text]))),
  constraint credit_decisions_shadow_outcome_check CHECK ((shadow_outcome = ANY (ARRAY['approved'::text, 'review'::text, 'declined'::text])))
);

-- credit_policies

create table credit_policies (
  version integer not null,
  role text not null,
  policy jsonb,
  set_by text not null,
  set_at timestamp with time zone not null,
  constraint credit_policies_pkey PRIMARY KEY (version),
  constraint credit_policies_check CHECK (((role = 'shadow'::text) OR (policy IS NOT NULL))),
  constraint credit_policies_role_check CHECK ((role = ANY (ARRAY['force'::text, 'shadow'::text]))),
  constraint credit_policies_version_check CHECK ((version > 1))
);

-- credit_standings

create table credit_standings (
  customer_id text not null,
  limit_cents bigint not null,
  offered_cents bigint,
  lowered_from_cents bigint,
  constraint credit_standings_pkey PRIMARY KEY (customer_id),
  constraint credit_standings_check CHECK ((offered_cents > limit_cents)),
  constraint credit_standings_limit_cents_check CHECK ((limit_cents >= 0))
);

-- credit_sums

create table credit_sums (
  kind text not null,
  day date not null,
  week date not null,
  item_count bigint not null,
  financed_cents bigint not null,
  total_cents bigint not null,
  paid_cents bigint not null,
  returned_cents bigint not null,
  outstanding_cents bigint not null,
  written_off_count bigint not null,
  written_off_cents bigint not null,
  constraint credit_sums_pkey PRIMARY KEY (kind, day, week),
  constraint credit_sums_kind_check CHECK ((kind = ANY (ARRAY['cohort'::text, 'status'::text, 'returned'::text, 'late'::text, 'age'::text, 'due'::text])))
) with (fillfactor=50);

-- credit_sums_progress

create table credit_sums_progress (
  only_row boolean not null default true,
  floor_day date not null,
  computed_up_to text,
  customers integer not null,
  all_customers integer not null,
  constraint credit_sums_progress_pkey PRIMARY KEY (only_row),
  constraint credit_sums_progress_only_row_check CHECK (only_row)
);

-- customer_cpfs

create table customer_cpfs (
  cpf_hash bytea not null,
  customer_id text not null,
  constraint customer_cpfs_pkey PRIMARY KEY (cpf_hash),
  constraint customer_cpfs_customer_id_key UNIQUE (customer_id)
);

-- customer_notes

create table customer_notes (
  customer_id text not null,
  id text not null,
  author text not null,
  text bytea,
  written_at timestamp with time zone not null,
  constraint customer_notes_pkey PRIMARY KEY (customer_id, id)
);

-- customer_partners

create table customer_partners (
  customer_id text not null,
  partner_id text not null,
  since timestamp with time zone not null,
  constraint customer_partners_pkey PRIMARY KEY (customer_id, partner_id)
);

-- customer_phones

create table customer_phones (
  phone_hash bytea not null,
  customer_id text not null,
  constraint customer_phones_pkey PRIMARY KEY (phone_hash)
);

-- customer_referral_codes

create table customer_referral_codes (
  code text not null,
  customer_id text not null,
  constraint customer_referral_codes_pkey PRIMARY KEY (code)
);

-- customers

create table customers (
  id text not null,
  person_sealed bytea not null,
  phone_hash bytea not null,
  password_hash text,
  search_tokens bigint[] not null default '{}'::bigint[],
  credit_limit_cents bigint not null,
  referral_code text not null,
  locked_at timestamp with time zone,
  erased_at timestamp with time zone,
  created_at timestamp with time zone not null,
  awaits_first_limit boolean not null default false,
  constraint customers_pkey PRIMARY KEY (id),
  constraint customers_credit_limit_cents_check CHECK ((credit_limit_cents >= 0))
);

-- delivery_reports

create table delivery_reports (
  provider_id text not null,
  status text not null,
  reason text,
  reported_at timestamp with time zone not null,
  constraint delivery_reports_pkey PRIMARY KEY (provider_id, status)
);

-- ended_sessions

create table ended_sessions (
  id text not null,
  ended_at timestamp with time zone not null,
  constraint ended_sessions_pkey PRIMARY KEY (id)
);

-- event_outbox

create table event_outbox (
  customer_id text not null,
  "position" bigint not null generated always as identity,
  event_id text not null,
  constraint event_outbox_pkey PRIMARY KEY (customer_id, "position")
);

-- event_sequences

create table event_sequences (
  customer_id text not null,
  checkout_hash text not null,
  sequence integer not null,
  merchant_id bigint,
  purchase jsonb,
  constraint event_sequences_pkey PRIMARY KEY (customer_id, checkout_hash)
) with (fillfactor=70);

-- events

create table events (
  customer_id text not null,
  id text not null,
  "position" bigint not null generated always as identity,
  type text not null,
  checkout_hash text,
  sequence integer,
  merchant_id bigint,
  partner_id text,
  data jsonb not null,
  occurred_at timestamp with time zone not null,
  constraint events_pkey PRIMARY KEY (customer_id, id),
  constraint events_check CHECK (((checkout_hash IS NULL) = (sequence IS NULL)))
);

-- faq_entries

create table faq_entries (
  id text not null,
  topic text not null,
  question text not null,
  answer text not null,
  "position" integer not null default 0,
  listed boolean not null default true,
  constraint faq_entries_pkey PRIMARY KEY (id)
);

-- global_event_outbox

create table global_event_outbox (
  "position" bigint not null,
  constraint global_event_outbox_pkey PRIMARY KEY ("position")
);

-- global_events

create table global_events (
  id text not null,
  "position" bigint not null generated always as identity,
  type text not null,
  merchant_id bigint,
  partner_id text,
  data jsonb not null,
  occurred_at timestamp with time zone not null,
  constraint global_events_pkey PRIMARY KEY (id),
  constraint global_events_position_key UNIQUE ("position")
);

-- idempotent_answers

create table idempotent_answers (
  partner_id text not null,
  customer_id text not null,
  key text not null,
  request_hash bytea not null,
  status integer not null,
  body bytea not null,
  about text[] not null,
  created_at timestamp with time zone not null,
  constraint idempotent_answers_pkey PRIMARY KEY (customer_id, partner_id, key)
);

-- installation

create table installation (
  only_row boolean not null default true,
  mode text not null,
  created_at timestamp with time zone not null default now(),
  constraint installation_pkey PRIMARY KEY (only_row),
  constraint installation_mode_check CHECK ((mode = ANY (ARRAY['sandbox'::text, 'live'::text]))),
  constraint installation_only_row_check CHECK (only_row)
);

-- installments

create table installments (
  customer_id text not null,
  id text not null,
  checkout_hash text not null,
  number smallint not null,
  amount_cents bigint not null,
  principal_cents bigint not null,
  interest_cents bigint not null,
  agreed_due_on date not null,
  due_on date not null,
  effective_due_on date not null,
  paid_cents bigint not null default 0,
  discount_cents bigint not null default 0,
  returned_cents bigint not null default 0,
  outstanding_cents bigint not null,
  penalty_cents bigint not null default 0,
  redeemed_cents bigint not null default 0,
  extensions smallint not null default 0,
  paid_at timestamp with time zone,
  history jsonb,
  overdue_told date[] not null default '{}'::date[],
  constraint installments_pkey PRIMARY KEY (customer_id, id),
  constraint installments_customer_id_checkout_hash_number_key UNIQUE (customer_id, checkout_hash, number),
  constraint installments_amount_cents_check CHECK ((amount_cents > 0)),
  constraint installments_check CHECK ((amount_cents = (principal_cents + interest_cents))),
  constraint installments_check1 CHECK ((amount_cents = (((paid_cents + discount_cents) + returned_cents) + outstanding_cents))),
  constraint installments_check2 CHECK ((((outstanding_cents = 0) AND (penalty_cents = 0)) = (paid_at IS NOT NULL))),
  constraint installments_check3 CHECK (((paid_cents >= 0) AND (discount_cents >= 0) AND (outstanding_cents >= 0))),
  constraint installments_check4 CHECK (((redeemed_cents >= 0) AND (redeemed_cents <= (paid_cents + discount_cents)))),
  constraint installments_check5 CHECK (((effective_due_on >= due_on) AND (due_on >= agreed_due_on))),
  constraint installments_interest_cents_check CHECK ((interest_cents >= 0)),
  constraint installments_penalty_cents_check CHECK ((penalty_cents >= 0)),
  constraint installments_principal_cents_check CHECK ((principal_cents >= 0))
);

-- invitations

create table invitations (
  customer_id text not null,
  invited_id text not null,
  invited_name_sealed bytea not null,
  invited_at timestamp with time zone not null,
  referrer_reward_cents bigint not null,
  invited_reward_cents bigint not null,
  min_paid_cents bigint not null,
  rewarded_at timestamp with time zone,
  reward_cents bigint,
  referrer_position bigint,
  invited_position bigint,
  merchant_id bigint,
  held_at timestamp with time zone,
  reward_outcome text,
  constraint invitations_pkey PRIMARY KEY (customer_id, invited_id),
  constraint invitations_check CHECK (((rewarded_at IS NULL) = (reward_cents IS NULL))),
  constraint invitations_check1 CHECK (((COALESCE(reward_cents, (0)::bigint) > 0) = (referrer_position IS NOT NULL))),
  constraint invitations_check2 CHECK (((rewarded_at IS NOT NULL) OR (invited_position IS NULL))),
  constraint invitations_check3 CHECK (((held_at IS NULL) OR ((rewarded_at IS NULL) AND (merchant_id IS NOT NULL)))),
  constraint invitations_invited_reward_cents_check CHECK ((invited_reward_cents >= 0)),
  constraint invitations_min_paid_cents_check CHECK ((min_paid_cents >= 0)),
  constraint invitations_referrer_reward_cents_check CHECK ((referrer_reward_cents >= 0)),
  constraint invitations_reward_outcome_check CHECK ((reward_outcome = ANY (ARRAY['approved'::text, 'refused'::text])))
);

-- key_checks

create table key_checks (
  setting text not null,
  version integer not null,
  value bytea not null,
  state text not null default 'in_use'::text,
  created_at timestamp with time zone not null default now(),
  constraint key_checks_pkey PRIMARY KEY (setting, version),
  constraint key_checks_setting_check CHECK ((setting = ANY (ARRAY['DATA_KEYS'::text, 'LOOKUP_KEY'::text]))),
  constraint key_checks_state_check CHECK ((state = ANY (ARRAY['in_use'::text, 'changing'::text, 'retired'::text])))
);

-- known_addresses

create table known_addresses (
  address bytea not null,
  customer_id text not null,
  seen_at timestamp with time zone not null,
  constraint known_addresses_pkey PRIMARY KEY (address, customer_id)
);

-- lead_fingerprints

create table lead_fingerprints (
  fingerprint bytea not null,
  lead_id text not null,
  received_at timestamp with time zone not null,
  constraint lead_fingerprints_pkey PRIMARY KEY (fingerprint)
);

-- leads

create table leads (
  id text not null,
  partner_id text not null,
  kind text not null,
  content_sealed bytea not null,
  phone_hash bytea,
  email_hash bytea,
  tokens bigint[] not null default '{}'::bigint[],
  status text not null default 'new'::text,
  received_at timestamp with time zone not null,
  constraint leads_pkey PRIMARY KEY (id),
  constraint leads_status_check CHECK ((status = ANY (ARRAY['new'::text, 'handled'::text])))
);

-- ledger_closing

create table ledger_closing (
  only_row boolean not null default true,
  closed_to date not null,
  constraint ledger_closing_pkey PRIMARY KEY (only_row),
  constraint ledger_closing_only_row_check CHECK (only_row)
);

-- ledger_days

create table ledger_days (
  day date not null,
  account text not null,
  amount_cents bigint not null,
  constraint ledger_days_pkey PRIMARY KEY (day, account)
);

-- ledger_entries

create table ledger_entries (
  customer_id text not null,
  posting_id bigint not null,
  line smallint not null,
  account text not null,
  installment_id text,
  merchant_id bigint,
  amount_cents bigint not null,
  constraint ledger_entries_pkey PRIMARY KEY (customer_id, posting_id, line),
  constraint ledger_entries_account_check CHECK ((account = ANY (ARRAY['receivable'::text, 'merchant_payable'::text, 'finance_income'::text, 'penalty_income'::text, 'penalties_waived'::text, 'extension_income'::text, 'pix_clearing'::text, 'refunds_payable'::text, 'cashback_expense'::text, 'cashback_owed'::text, 'cashback_clearing'::text, 'credit_losses'::text]))),
  constraint ledger_entries_amount_cents_check CHECK ((amount_cents <> 0)),
  constraint ledger_entries_check CHECK (((account = 'merchant_payable'::text) = (merchant_id IS NOT NULL)))
);

-- ledger_postings

create table ledger_postings (
  customer_id text not null,
  id bigint not null generated always as identity,
  reference text not null,
  kind text not null,
  occurred_at timestamp with time zone not null,
  posted_at timestamp with time zone not null,
  written_at timestamp with time zone not null default now(),
  constraint ledger_postings_pkey PRIMARY KEY (customer_id, id),
  constraint ledger_postings_customer_id_reference_key UNIQUE (customer_id, reference)
);

-- login_challenges

create table login_challenges (
  subject bytea not null,
  id text not null,
  origin bytea not null,
  code_hash bytea not null,
  expires_at timestamp with time zone not null,
  tries integer not null default 0,
  used_at timestamp with time zone,
  partner_id text,
  constraint login_challenges_pkey PRIMARY KEY (subject, id)
);

-- media

create table media (
  name text not null,
  type text not null,
  bytes bytea not null,
  size integer not null,
  width integer,
  height integer,
  uploaded_at timestamp with time zone not null,
  constraint media_pkey PRIMARY KEY (name)
);

-- member_sessions

create table member_sessions (
  member_id text not null,
  id text not null,
  partner_id text not null,
  created_at timestamp with time zone not null,
  refresh_hash bytea not null,
  refresh_expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  ended_reason text,
  address bytea,
  constraint member_sessions_pkey PRIMARY KEY (member_id, id),
  constraint member_sessions_check CHECK (((ended_at IS NULL) = (ended_reason IS NULL))),
  constraint member_sessions_ended_reason_check CHECK ((ended_reason = ANY (ARRAY['logout'::text, 'refresh_reused'::text, 'switched'::text, 'removed'::text])))
);

-- members

create table members (
  id text not null,
  merchant_id bigint not null,
  person_sealed bytea not null,
  phone_hash bytea not null,
  role text not null,
  max_amount_cents bigint,
  may_return boolean not null,
  created_at timestamp with time zone not null,
  removed_at timestamp with time zone,
  constraint members_pkey PRIMARY KEY (id),
  constraint members_max_amount_cents_check CHECK ((max_amount_cents > 0)),
  constraint members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'clerk'::text])))
);

-- merchant_entries

create table merchant_entries (
  merchant_id bigint not null,
  posting_id bigint not null,
  line smallint not null,
  account text not null,
  amount_cents bigint not null,
  constraint merchant_entries_pkey PRIMARY KEY (merchant_id, posting_id, line),
  constraint merchant_entries_account_check CHECK ((account = ANY (ARRAY['merchant_payable'::text, 'fee_income'::text, 'payout_clearing'::text]))),
  constraint merchant_entries_amount_cents_check CHECK ((amount_cents <> 0))
);

-- merchant_events

create table merchant_events (
  merchant_id bigint not null,
  "position" bigint not null generated always as identity,
  id text not null,
  type text not null,
  occurred_at timestamp with time zone not null,
  sequence integer,
  data jsonb not null,
  constraint merchant_events_pkey PRIMARY KEY (merchant_id, "position"),
  constraint merchant_events_merchant_id_id_key UNIQUE (merchant_id, id)
);

-- merchant_lines

create table merchant_lines (
  merchant_id bigint not null,
  id text not null,
  "position" bigint not null generated always as identity,
  kind text not null,
  amount_cents bigint not null,
  due_on date not null,
  merchant_slug text not null,
  merchant_name text not null,
  checkout_hash text,
  of_payout_id text,
  payout_id text,
  occurred_at timestamp with time zone not null,
  constraint merchant_lines_pkey PRIMARY KEY (merchant_id, id),
  constraint merchant_lines_amount_cents_check CHECK ((amount_cents <> 0)),
  constraint merchant_lines_check CHECK (((kind = ANY (ARRAY['sale'::text, 'return_fee'::text, 'payout_failed'::text])) = (amount_cents > 0))),
  constraint merchant_lines_check1 CHECK (((kind = ANY (ARRAY['payout'::text, 'payout_failed'::text])) = (of_payout_id IS NOT NULL))),
  constraint merchant_lines_check2 CHECK (((of_payout_id IS NULL) = (checkout_hash IS NOT NULL))),
  constraint merchant_lines_check3 CHECK (((kind <> 'payout'::text) OR (payout_id = of_payout_id))),
  constraint merchant_lines_kind_check CHECK ((kind = ANY (ARRAY['sale'::text, 'fee'::text, 'return'::text, 'return_fee'::text, 'payout'::text, 'payout_failed'::text])))
);

-- merchant_losses

create table merchant_losses (
  merchant_id bigint not null,
  sold_cents bigint not null,
  lost_cents bigint not null,
  constraint merchant_losses_pkey PRIMARY KEY (merchant_id)
);

-- merchant_postings

create table merchant_postings (
  merchant_id bigint not null,
  id bigint not null generated always as identity,
  reference text not null,
  kind text not null,
  occurred_at timestamp with time zone not null,
  posted_at timestamp with time zone not null,
  written_at timestamp with time zone not null default now(),
  constraint merchant_postings_pkey PRIMARY KEY (merchant_id, id),
  constraint merchant_postings_merchant_id_reference_key UNIQUE (merchant_id, reference)
);

-- merchants

create table merchants (
  id bigint not null generated always as identity,
  slug text not null,
  name text not null,
  name_key text collate "C" not null,
  category_slug text not null,
  description text,
  logo_url text,
  city text,
  state text,
  website text,
  cashback_percent numeric(7,4) not null default 0,
  weekly_rate_percent numeric(7,4) not null default 0,
  max_installments smallint not null default 12,
  min_amount_cents bigint not null default 1000,
  max_amount_cents bigint not null default 500000,
  merchant_fee_percent numeric(7,4) not null default 0,
  payout_days smallint not null default 2,
  listed boolean not null default true,
  revision bigint not null default nextval('merchant_revisions'::regclass),
  constraint merchants_pkey PRIMARY KEY (id),
  constraint merchants_slug_key UNIQUE (slug),
  constraint merchants_cashback_percent_check CHECK (((cashback_percent >= (0)::numeric) AND (cashback_percent <= (100)::numeric))),
  constraint merchants_check CHECK ((max_amount_cents >= min_amount_cents)),
  constraint merchants_max_installments_check CHECK (((max_installments >= 1) AND (max_installments <= 52))),
  constraint merchants_merchant_fee_percent_check CHECK (((merchant_fee_percent >= (0)::numeric) AND (merchant_fee_percent <= (100)::numeric))),
  constraint merchants_min_amount_cents_check CHECK ((min_amount_cents > 0)),
  constraint merchants_payout_days_check CHECK (((payout_days >= 0) AND (payout_days <= 90))),
  constraint merchants_weekly_rate_percent_check CHECK (((weekly_rate_percent >= (0)::numeric) AND (weekly_rate_percent <= (100)::numeric)))
);

-- message_preferences

create table message_preferences (
  customer_id text not null,
  channels text[] not null,
  reminders_before_due boolean not null,
  news boolean not null,
  updated_at timestamp with time zone not null,
  constraint message_preferences_pkey PRIMARY KEY (customer_id)
);

-- message_runs

create table message_runs (
  name text not null,
  day date not null,
  finished_at timestamp with time zone not null,
  constraint message_runs_pkey PRIMARY KEY (name, day)
);

-- message_subjects

create table message_subjects (
  customer_id text not null,
  template text not null,
  about text not null,
  step smallint not null,
  message_id text not null,
  told_on date not null,
  installment_id text,
  constraint message_subjects_pkey PRIMARY KEY (customer_id, template, about, step)
);

-- message_windows

create table message_windows (
  cap text not null,
  subject bytea not null,
  began_at timestamp with time zone not null,
  count integer not null,
  previous integer not null,
  forget_at timestamp with time zone not null,
  constraint message_windows_pkey PRIMARY KEY (cap, subject)
) with (fillfactor=70);

-- messages

create table messages (
  customer_id text not null,
  id text not null,
  template text not null,
  step smallint,
  day date,
  status text not null,
  attempts integer not null default 0,
  channel text,
  provider_id text,
  reason text,
  parts bytea,
  text bytea,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  not_before timestamp with time zone,
  checkouts text[] not null default '{}'::text[],
  constraint messages_pkey PRIMARY KEY (customer_id, id),
  constraint messages_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'retrying'::text, 'sent'::text, 'delivered'::text, 'read'::text, 'failed'::text, 'withdrawn'::text])))
);

-- offers

create table offers (
  id text not null,
  merchant_id bigint not null,
  merchant_slug text not null,
  merchant_name text not null,
  phone_sealed bytea,
  phone_hash bytea,
  token_hash bytea,
  code_hash bytea,
  claim_sealed bytea,
  member_id text,
  reference text,
  description text,
  items jsonb not null default '[]'::jsonb,
  return_url text,
  amount_cents bigint not null,
  installments smallint not null,
  weekly_rate_ppm integer not null,
  fine_ppm integer not null,
  late_interest_ppm integer not null,
  extension_fee_ppm integer not null,
  extension_days smallint not null,
  extension_limit smallint not null,
  cashback_ppm integer not null,
  merchant_fee_ppm integer not null,
  payout_days smallint not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  status text not null default 'pending'::text,
  closed_at timestamp with time zone,
  customer_id text,
  claimed_at timestamp with time zone,
  checkout_hash text,
  accepted_installments smallint,
  metadata jsonb not null default '{}'::jsonb,
  constraint offers_pkey PRIMARY KEY (id),
  constraint offers_amount_cents_check CHECK ((amount_cents > 0)),
  constraint offers_check CHECK (((phone_sealed IS NULL) = (phone_hash IS NULL))),
  constraint offers_check1 CHECK ((num_nonnulls(token_hash, code_hash, claim_sealed) =
CASE
    WHEN (phone_sealed IS NULL) THEN 3
    ELSE 0
END)),
  constraint offers_check2 CHECK (((claimed_at IS NULL) OR (phone_sealed IS NULL))),
  constraint offers_check3 CHECK (((status = 'pending'::text) = (closed_at IS NULL))),
  constraint offers_check4 CHECK (((status = 'accepted'::text) = (checkout_hash IS NOT NULL))),
  constraint offers_check5 CHECK ((((status = 'accepted'::text) OR (claimed_at IS NOT NULL)) = (customer_id IS NOT NULL))),
  constraint offers_check6 CHECK (((status = 'accepted'::text) = (accepted_installments IS NOT NULL))),
  constraint offers_installments_check CHECK (((installments >= 1) AND (installments <= 52))),
  constraint offers_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'accepted'::text, 'declined'::text, 'expired'::text, 'cancelled'::text])))
);

-- partner_events

create table partner_events (
  partner_id text not null,
  "position" bigint not null generated always as identity,
  id text not null,
  type text not null,
  occurred_at timestamp with time zone not null,
  checkout_hash text,
  sequence integer,
  data jsonb not null,
  unbound boolean not null,
  merchant_id bigint,
  constraint partner_events_pkey PRIMARY KEY (partner_id, "position"),
  constraint partner_events_id_partner_id_key UNIQUE (id, partner_id),
  constraint partner_events_check CHECK ((unbound OR (merchant_id IS NOT NULL)))
);

-- partner_feeds

create table partner_feeds (
  partner_id text not null,
  purged_to bigint not null,
  constraint partner_feeds_pkey PRIMARY KEY (partner_id)
);

-- partners

create table partners (
  id text not null,
  name text not null,
  created_at timestamp with time zone not null,
  constraint partners_pkey PRIMARY KEY (id),
  constraint partners_name_key UNIQUE (name),
  constraint partners_name_check CHECK (((length(name) >= 1) AND (length(name) <= 120)))
);

-- payout_accounts

create table payout_accounts (
  merchant_id bigint not null,
  pix_key text,
  holder_name text,
  tax_id text,
  change jsonb,
  change_counts_at timestamp with time zone,
  constraint payout_accounts_pkey PRIMARY KEY (merchant_id),
  constraint payout_accounts_check CHECK ((num_nonnulls(pix_key, holder_name, tax_id) = ANY (ARRAY[0, 3]))),
  constraint payout_accounts_check1 CHECK (((change IS NULL) = (change_counts_at IS NULL))),
  constraint payout_accounts_tax_id_check CHECK ((tax_id ~ '^([0-9]{11}|[0-9]{14})$'::text))
);

-- payouts

create table payouts (
  id text not null,
  merchant_id bigint not null,
  merchant_slug text not null,
  merchant_name text not null,
  amount_cents bigint not null,
  due_on date not null,
  created_at timestamp with time zone not null,
  status text not null default 'pending'::text,
  closed_at timestamp with time zone,
  reference text,
  reason text,
  pix_key text,
  holder_name text,
  tax_id text,
  constraint payouts_pkey PRIMARY KEY (id),
  constraint payouts_amount_cents_check CHECK ((amount_cents > 0)),
  constraint payouts_check CHECK (((status = 'pending'::text) = (closed_at IS NULL))),
  constraint payouts_check1 CHECK (((status = 'paid'::text) = (reference IS NOT NULL))),
  constraint payouts_check2 CHECK (((status = 'failed'::text) = (reason IS NOT NULL))),
  constraint payouts_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'paid'::text, 'failed'::text])))
);

-- phone_changes

create table phone_changes (
  id text not null,
  customer_id text not null,
  phones_sealed bytea not null,
  status text not null,
  asked_by text not null,
  asked_at timestamp with time zone not null,
  counts_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  constraint phone_changes_pkey PRIMARY KEY (id),
  constraint phone_changes_check CHECK (((closed_at IS NULL) = (status = 'waiting'::text))),
  constraint phone_changes_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'done'::text, 'cancelled'::text, 'replaced'::text, 'taken'::text])))
);

-- phone_messages

create table phone_messages (
  id text not null,
  phone_hash bytea not null,
  template text not null,
  status text not null,
  attempts integer not null default 0,
  channel text,
  provider_id text,
  reason text,
  parts bytea,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint phone_messages_pkey PRIMARY KEY (id),
  constraint phone_messages_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'retrying'::text, 'sent'::text, 'delivered'::text, 'read'::text, 'failed'::text, 'withdrawn'::text])))
);

-- pix_authorisations

create table pix_authorisations (
  customer_id text not null,
  id text not null,
  checkout_hash text not null,
  status text not null,
  location_id bigint,
  rec_id text,
  br_code text,
  first_charge_id text,
  starts_on date not null,
  ends_on date not null,
  least_cents bigint not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  activated_at timestamp with time zone,
  ended_at timestamp with time zone,
  ended_by text,
  reason text,
  removed_at timestamp with time zone,
  look_on date not null,
  synced_at timestamp with time zone not null,
  constraint pix_authorisations_pkey PRIMARY KEY (customer_id, id),
  constraint pix_authorisations_check CHECK ((ends_on >= starts_on)),
  constraint pix_authorisations_check1 CHECK (((status <> ALL (ARRAY['pending'::text, 'active'::text])) OR ((rec_id IS NOT NULL) AND (br_code IS NOT NULL)))),
  constraint pix_authorisations_check2 CHECK (((status = ANY (ARRAY['ended'::text, 'rejected'::text])) = (ended_by IS NOT NULL))),
  constraint pix_authorisations_discarded CHECK (((status <> 'discarded'::text) OR (br_code IS NULL))),
  constraint pix_authorisations_ended_by_check CHECK ((ended_by = ANY (ARRAY['customer'::text, 'payer'::text, 'bank'::text, 'service'::text]))),
  constraint pix_authorisations_least_cents_check CHECK ((least_cents > 0)),
  constraint pix_authorisations_status_check CHECK ((status = ANY (ARRAY['creating'::text, 'pending'::text, 'active'::text, 'rejected'::text, 'expired'::text, 'ended'::text, 'discarded'::text])))
);

-- pix_charges

create table pix_charges (
  customer_id text not null,
  id text not null,
  installment_id text not null,
  checkout_hash text not null,
  type text not null,
  value_cents bigint not null,
  priced_on date not null,
  txid text not null,
  pix_key text not null,
  expiration_seconds integer not null,
  status text not null,
  br_code text,
  location text,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  paid_at timestamp with time zone,
  removed_at timestamp with time zone,
  assigned_end_to_end_id text,
  authorisation_id text,
  held_until timestamp with time zone,
  constraint pix_charges_pkey PRIMARY KEY (customer_id, id),
  constraint pix_charges_check1 CHECK (((status = 'paid'::text) = (paid_at IS NOT NULL))),
  constraint pix_charges_code CHECK (((status <> 'pending'::text) OR (br_code IS NOT NULL) OR (authorisation_id IS NOT NULL))),
  constraint pix_charges_expiration_seconds_check CHECK ((expiration_seconds > 0)),
  constraint pix_charges_status_check CHECK ((status = ANY (ARRAY['creating'::text, 'pending'::text, 'paid'::text, 'expired'::text, 'cancelled'::text, 'discarded'::text]))),
  constraint pix_charges_txid_check CHECK ((txid ~ '^[0-9A-Za-z]{32}$'::text)),
  constraint pix_charges_type_check CHECK ((type = ANY (ARRAY['settle'::text, 'settle_partial'::text, 'settle_with_penalty'::text, 'extend'::text]))),
  constraint pix_charges_value_cents_check CHECK ((value_cents > 0))
);

-- pix_debits

create table pix_debits (
  customer_id text not null,
  charge_id text not null,
  authorisation_id text not null,
  checkout_hash text not null,
  installment_id text not null,
  cycle integer not null,
  due_on date not null,
  attempt_on date not null,
  refusals integer not null default 0,
  reason text,
  open boolean not null default true,
  check_at timestamp with time zone,
  constraint pix_debits_pkey PRIMARY KEY (customer_id, charge_id)
);

-- pix_discrepancies

create table pix_discrepancies (
  customer_id text not null,
  charge_id text not null,
  kind text not null,
  end_to_end_id text not null,
  txid text not null,
  value_cents bigint not null,
  found_at timestamp with time zone not null,
  recheck_at timestamp with time zone not null,
  resolved_at timestamp with time zone,
  constraint pix_discrepancies_pkey PRIMARY KEY (customer_id, charge_id, kind, end_to_end_id),
  constraint pix_discrepancies_kind_check CHECK ((kind = ANY (ARRAY['paid_without_payment'::text, 'end_to_end_id_reused'::text, 'unreadable_payment'::text])))
);

-- pix_end_to_end_ids

create table pix_end_to_end_ids (
  end_to_end_id text not null,
  customer_id text,
  charge_id text,
  constraint pix_end_to_end_ids_pkey PRIMARY KEY (end_to_end_id),
  constraint pix_end_to_end_ids_check CHECK (((customer_id IS NULL) = (charge_id IS NULL)))
);

-- pix_moves

create table pix_moves (
  customer_id text not null,
  id text not null,
  side text not null,
  "position" bigint not null generated always as identity,
  end_to_end_id text not null,
  charge_id text not null,
  installment_id text not null,
  checkout_hash text not null,
  amount_cents bigint not null,
  reason text not null,
  moved_at timestamp with time zone not null,
  moved_by text not null,
  constraint pix_moves_pkey PRIMARY KEY (customer_id, id, side),
  constraint pix_moves_amount_cents_check CHECK ((amount_cents > 0)),
  constraint pix_moves_side_check CHECK ((side = ANY (ARRAY['from'::text, 'to'::text])))
);

-- pix_notices

create table pix_notices (
  id text not null,
  received_at timestamp with time zone not null,
  sealed bytea not null,
  psp_ids text[],
  constraint pix_notices_pkey PRIMARY KEY (id)
);

-- pix_orphans

create table pix_orphans (
  end_to_end_id text not null,
  txid text,
  amount_cents bigint not null,
  paid_at timestamp with time zone not null,
  found_at timestamp with time zone not null,
  status text not null default 'open'::text,
  refund_id text,
  asked_at timestamp with time zone,
  returned_at timestamp with time zone,
  reason text,
  constraint pix_orphans_pkey PRIMARY KEY (end_to_end_id),
  constraint pix_orphans_check CHECK (((status = ANY (ARRAY['open'::text, 'returned'::text])) OR (refund_id IS NOT NULL))),
  constraint pix_orphans_check1 CHECK (((status = 'returned'::text) = (returned_at IS NOT NULL))),
  constraint pix_orphans_refund_id_check CHECK ((refund_id ~ '^[0-9A-Za-z]{1,35}$'::text)),
  constraint pix_orphans_status_check CHECK ((status = ANY (ARRAY['open'::text, 'asked'::text, 'processing'::text, 'returned'::text])))
);

-- pix_payments

create table pix_payments (
  customer_id text not null,
  end_to_end_id text not null,
  charge_id text not null,
  installment_id text not null,
  amount_cents bigint not null,
  paid_at timestamp with time zone not null,
  recorded_at timestamp with time zone not null,
  moved_at timestamp with time zone,
  constraint pix_payments_pkey PRIMARY KEY (customer_id, end_to_end_id),
  constraint pix_payments_amount_cents_check CHECK ((amount_cents > 0))
);

-- pix_recurrences

create table pix_recurrences (
  rec_id text not null,
  customer_id text not null,
  authorisation_id text not null,
  constraint pix_recurrences_pkey PRIMARY KEY (rec_id)
);

-- pix_refunds

create table pix_refunds (
  customer_id text not null,
  end_to_end_id text not null,
  id text not null,
  part smallint not null default 0,
  amount_cents bigint not null,
  forced boolean not null,
  status text not null,
  tries integer not null,
  reason text,
  created_at timestamp with time zone not null,
  due_at timestamp with time zone not null,
  settled_at timestamp with time zone,
  stranded_cents bigint not null default 0,
  constraint pix_refunds_pkey PRIMARY KEY (customer_id, end_to_end_id, id),
  constraint pix_refunds_amount_cents_check CHECK ((amount_cents > 0)),
  constraint pix_refunds_check CHECK (((status = 'returned'::text) = (settled_at IS NOT NULL))),
  constraint pix_refunds_check1 CHECK (((NOT forced) OR (status = 'returned'::text))),
  constraint pix_refunds_check2 CHECK (((status = 'given_up'::text) = (stranded_cents > 0))),
  constraint pix_refunds_id_check CHECK ((id ~ '^[0-9A-Za-z]{1,35}$'::text)),
  constraint pix_refunds_status_check CHECK ((status = ANY (ARRAY['asked'::text, 'processing'::text, 'returned'::text, 'failed'::text, 'given_up'::text, 'credited'::text, 'overtaken'::text]))),
  constraint pix_refunds_stranded_cents_check CHECK ((stranded_cents >= 0))
);

-- pix_sweep

create table pix_sweep (
  only_row boolean not null default true,
  swept_to timestamp with time zone not null,
  constraint pix_sweep_pkey PRIMARY KEY (only_row),
  constraint pix_sweep_only_row_check CHECK (only_row)
);

-- pix_txids

create table pix_txids (
  txid text not null,
  customer_id text not null,
  charge_id text not null,
  constraint pix_txids_pkey PRIMARY KEY (txid),
  constraint pix_txids_txid_check CHECK ((txid = lower(txid)))
);

-- posts

create table posts (
  slug text not null,
  title text not null,
  summary text not null,
  cover_url text,
  author text not null,
  tags text[] not null default '{}'::text[],
  published_at timestamp with time zone,
  body text not null,
  body_html text not null,
  constraint posts_pkey PRIMARY KEY (slug)
);

-- provider_messages

create table provider_messages (
  provider_id text not null,
  customer_id text,
  message_id text not null,
  created_at timestamp with time zone not null,
  constraint provider_messages_pkey PRIMARY KEY (provider_id)
);

-- psp_sim_charges

create table psp_sim_charges (
  txid text not null,
  status text not null,
  revision integer not null default 0,
  terms jsonb not null,
  created_at timestamp with time zone not null,
  constraint psp_sim_charges_pkey PRIMARY KEY (txid),
  constraint psp_sim_charges_status_check CHECK ((status = ANY (ARRAY['ATIVA'::text, 'CONCLUIDA'::text, 'REMOVIDA_PELO_USUARIO_RECEBEDOR'::text, 'REMOVIDA_PELO_PSP'::text]))),
  constraint psp_sim_charges_txid_check CHECK ((txid ~ '^[a-zA-Z0-9]{26,35}$'::text))
);

-- psp_sim_debits

create table psp_sim_debits (
  txid text not null,
  rec_id text not null,
  status text not null,
  cycle integer not null,
  amount_cents bigint not null,
  terms jsonb not null,
  attempts jsonb not null,
  ended jsonb,
  updates jsonb not null,
  next_try_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint psp_sim_debits_pkey PRIMARY KEY (txid),
  constraint psp_sim_debits_amount_cents_check CHECK ((amount_cents > 0)),
  constraint psp_sim_debits_status_check CHECK ((status = ANY (ARRAY['CRIADA'::text, 'ATIVA'::text, 'CONCLUIDA'::text, 'EXPIRADA'::text, 'REJEITADA'::text, 'CANCELADA'::text]))),
  constraint psp_sim_debits_txid_check CHECK ((txid ~ '^[a-zA-Z0-9]{26,35}$'::text))
);

-- psp_sim_deliveries

create table psp_sim_deliveries (
  id bigint not null generated always as identity,
  url text not null,
  pix jsonb not null,
  state text not null,
  attempts integer not null default 0,
  due_at timestamp with time zone not null,
  claimed_until timestamp with time zone,
  last_outcome text,
  created_at timestamp with time zone not null,
  kind text not null default 'pix'::text,
  constraint psp_sim_deliveries_pkey PRIMARY KEY (id),
  constraint psp_sim_deliveries_kind_check CHECK ((kind = ANY (ARRAY['pix'::text, 'rec'::text, 'cobr'::text]))),
  constraint psp_sim_deliveries_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'delivered'::text, 'failed'::text, 'withheld'::text])))
);

-- psp_sim_locations

create table psp_sim_locations (
  id bigint not null generated always as identity,
  token text not null,
  location text not null,
  txid text,
  created_at timestamp with time zone not null,
  constraint psp_sim_locations_pkey PRIMARY KEY (id),
  constraint psp_sim_locations_token_key UNIQUE (token),
  constraint psp_sim_locations_txid_key UNIQUE (txid)
);

-- psp_sim_past_terms

create table psp_sim_past_terms (
  txid text not null,
  revision integer not null,
  terms jsonb not null,
  constraint psp_sim_past_terms_pkey PRIMARY KEY (txid, revision)
);

-- psp_sim_pix

create table psp_sim_pix (
  end_to_end_id text not null,
  txid text not null,
  key text,
  amount_cents bigint not null,
  paid_at timestamp with time zone not null,
  told_as text,
  constraint psp_sim_pix_pkey PRIMARY KEY (end_to_end_id),
  constraint psp_sim_pix_amount_cents_check CHECK ((amount_cents > 0))
);

-- psp_sim_rec_locations

create table psp_sim_rec_locations (
  id bigint not null generated always as identity,
  token text not null,
  location text not null,
  created_at timestamp with time zone not null,
  constraint psp_sim_rec_locations_pkey PRIMARY KEY (id),
  constraint psp_sim_rec_locations_token_key UNIQUE (token)
);

-- psp_sim_recs

create table psp_sim_recs (
  id text not null,
  status text not null,
  location_id bigint,
  terms jsonb not null,
  first_txid text,
  ended jsonb,
  updates jsonb not null,
  created_at timestamp with time zone not null,
  constraint psp_sim_recs_pkey PRIMARY KEY (id),
  constraint psp_sim_recs_location_id_key UNIQUE (location_id),
  constraint psp_sim_recs_id_check CHECK ((id ~ '^[a-zA-Z0-9]{29}$'::text)),
  constraint psp_sim_recs_status_check CHECK ((status = ANY (ARRAY['CRIADA'::text, 'APROVADA'::text, 'REJEITADA'::text, 'EXPIRADA'::text, 'CANCELADA'::text])))
);

-- psp_sim_refunds

create table psp_sim_refunds (
  end_to_end_id text not null,
  id text not null,
  return_id text not null,
  amount_cents bigint not null,
  nature text not null,
  description text,
  status text not null,
  requested_at timestamp with time zone not null,
  settled_at timestamp with time zone,
  settles_at timestamp with time zone,
  outcome text not null,
  constraint psp_sim_refunds_pkey PRIMARY KEY (end_to_end_id, id),
  constraint psp_sim_refunds_amount_cents_check CHECK ((amount_cents > 0)),
  constraint psp_sim_refunds_outcome_check CHECK ((outcome = ANY (ARRAY['DEVOLVIDO'::text, 'NAO_REALIZADO'::text]))),
  constraint psp_sim_refunds_status_check CHECK ((status = ANY (ARRAY['EM_PROCESSAMENTO'::text, 'DEVOLVIDO'::text, 'NAO_REALIZADO'::text])))
);

-- psp_sim_settings

create table psp_sim_settings (
  only_row boolean not null default true,
  simulator_id text not null,
  token_secret bytea not null,
  signing_key jsonb not null,
  faults jsonb not null,
  constraint psp_sim_settings_pkey PRIMARY KEY (only_row),
  constraint psp_sim_settings_only_row_check CHECK (only_row)
);

-- psp_sim_webhooks

create table psp_sim_webhooks (
  key text not null,
  url text not null,
  created_at timestamp with time zone not null,
  constraint psp_sim_webhooks_pkey PRIMARY KEY (key)
);

-- push_subscriptions

create table push_subscriptions (
  customer_id text not null,
  id text not null,
  subscription bytea not null,
  created_at timestamp with time zone not null,
  constraint push_subscriptions_pkey PRIMARY KEY (customer_id, id)
);

-- rate_windows

create unlogged table rate_windows (
  key_id text not null,
  window_start timestamp with time zone not null,
  used bigint not null,
  constraint rate_windows_pkey PRIMARY KEY (key_id)
) with (fillfactor=50);

-- receipts

create table receipts (
  customer_id text not null,
  reference text not null,
  part smallint not null default 0,
  source text not null default 'pix'::text,
  installment_id text not null,
  checkout_hash text not null,
  "position" bigint not null generated always as identity,
  received_at timestamp with time zone not null,
  recorded_at timestamp with time zone not null,
  amount_cents bigint not null,
  purpose text not null,
  priced_on date,
  reversed_at timestamp with time zone,
  refunded_cents bigint not null default 0,
  taken_cents bigint not null default 0,
  credited_cents bigint not null default 0,
  left_cents bigint not null default 0,
  left_at jsonb not null default '{}'::jsonb,
  outcome text not null,
  interest_cents bigint not null,
  fine_cents bigint not null,
  principal_cents bigint not null,
  discount_cents bigint not null,
  fee_cents bigint not null,
  extended_to date,
  elsewhere_cents bigint not null default 0,
  elsewhere_principal_cents bigint not null default 0,
  excess_cents bigint not null,
  waives_penalties boolean not null default false,
  waived_interest_cents bigint not null default 0,
  waived_fine_cents bigint not null default 0,
  constraint receipts_pkey PRIMARY KEY (customer_id, reference, part),
  constraint receipts_amount_cents_check CHECK ((amount_cents > 0)),
  constraint receipts_check CHECK (((elsewhere_principal_cents >= 0) AND (elsewhere_principal_cents <= elsewhere_cents))),
  constraint receipts_check1 CHECK ((amount_cents = (((((((((interest_cents + fine_cents) + principal_cents) + fee_cents) + elsewhere_cents) + excess_cents) + refunded_cents) + taken_cents) + credited_cents) + left_cents))),
  constraint receipts_check2 CHECK (((outcome = 'extension'::text) = (extended_to IS NOT NULL))),
  constraint receipts_check3 CHECK (((outcome = 'extension'::text) OR (fee_cents = 0))),
  constraint receipts_check4 CHECK (((outcome = 'payment'::text) OR ((principal_cents + discount_cents) = 0))),
  constraint receipts_credited_cents_check CHECK ((credited_cents >= 0)),
  constraint receipts_discount_cents_check CHECK ((discount_cents >= 0)),
  constraint receipts_elsewhere_cents_check CHECK ((elsewhere_cents >= 0)),
  constraint receipts_excess_cents_check CHECK ((excess_cents >= 0)),
  constraint receipts_fee_cents_check CHECK ((fee_cents >= 0)),
  constraint receipts_fine_cents_check CHECK ((fine_cents >= 0)),
  constraint receipts_interest_cents_check CHECK ((interest_cents >= 0)),
  constraint receipts_left_cents_check CHECK ((left_cents >= 0)),
  constraint receipts_outcome_check CHECK ((outcome = ANY (ARRAY['payment'::text, 'extension'::text, 'nothing'::text]))),
  constraint receipts_part_check CHECK ((part >= 0)),
  constraint receipts_principal_cents_check CHECK ((principal_cents >= 0)),
  constraint receipts_purpose_check CHECK ((purpose = ANY (ARRAY['pay'::text, 'extend'::text]))),
  constraint receipts_refunded_cents_check CHECK ((refunded_cents >= 0)),
  constraint receipts_source_check CHECK ((source = ANY (ARRAY['pix'::text, 'cashback'::text, 'manual'::text]))),
  constraint receipts_taken_cents_check CHECK ((taken_cents >= 0)),
  constraint receipts_waived_fine_cents_check CHECK ((waived_fine_cents >= 0)),
  constraint receipts_waived_interest_cents_check CHECK ((waived_interest_cents >= 0))
);

-- referrers

create table referrers (
  customer_id text not null,
  referrer_id text not null,
  constraint referrers_pkey PRIMARY KEY (customer_id),
  constraint referrers_check CHECK ((customer_id <> referrer_id))
);

-- refused_addresses

create table refused_addresses (
  address_hash bytea not null,
  channel text not null,
  reason text not null,
  refused_at timestamp with time zone not null,
  constraint refused_addresses_pkey PRIMARY KEY (address_hash, channel)
);

-- returns

create table returns (
  customer_id text not null,
  checkout_hash text not null,
  id text not null,
  "position" bigint not null generated always as identity,
  amount_cents bigint not null,
  reason text not null,
  returned_at timestamp with time zone not null,
  recorded_at timestamp with time zone not null,
  returned_by text not null,
  constraint returns_pkey PRIMARY KEY (customer_id, id),
  constraint returns_amount_cents_check CHECK ((amount_cents > 0))
);

-- sandbox_clock

create table sandbox_clock (
  only_row boolean not null default true,
  offset_ms bigint not null,
  revision bigint not null,
  constraint sandbox_clock_pkey PRIMARY KEY (only_row),
  constraint sandbox_clock_only_row_check CHECK (only_row)
);

-- sandbox_messages

create table sandbox_messages (
  id bigint not null generated always as identity,
  phone text,
  text text not null,
  code text,
  sent_at timestamp with time zone not null,
  channel text not null,
  template text not null,
  step smallint,
  email text,
  link text,
  constraint sandbox_messages_pkey PRIMARY KEY (id)
);

-- saved_views

create table saved_views (
  id text not null,
  person_id text not null,
  list text not null,
  name text not null,
  query text not null,
  saved_at timestamp with time zone not null,
  constraint saved_views_pkey PRIMARY KEY (id),
  constraint saved_views_person_id_list_name_key UNIQUE (person_id, list, name)
);

-- schema_migrations

create table schema_migrations (
  name text not null,
  checksum text not null,
  is_additive boolean not null,
  applied_at timestamp with time zone not null default now(),
  constraint schema_migrations_pkey PRIMARY KEY (name)
);

-- sessions

create table sessions (
  customer_id text not null,
  id text not null,
  partner_id text not null,
  created_at timestamp with time zone not null,
  refresh_hash bytea not null,
  refresh_expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  ended_reason text,
  constraint sessions_pkey PRIMARY KEY (customer_id, id),
  constraint sessions_check CHECK (((ended_at IS NULL) = (ended_reason IS NULL))),
  constraint sessions_ended_reason_check CHECK ((ended_reason = ANY (ARRAY['logout'::text, 'locked'::text, 'password_set'::text, 'phone_changed'::text, 'refresh_reused'::text])))
);

-- signing_keys

create table signing_keys (
  kid text not null,
  public_jwk jsonb not null,
  private_sealed bytea not null,
  private_key_version integer not null,
  created_at timestamp with time zone not null,
  signs_from timestamp with time zone not null,
  accepted_until timestamp with time zone,
  constraint signing_keys_pkey PRIMARY KEY (kid)
);

-- staff_act_totals

create table staff_act_totals (
  staff_user_id text not null,
  kind text not null,
  day date not null,
  amount_cents bigint not null,
  constraint staff_act_totals_pkey PRIMARY KEY (staff_user_id, kind, day)
);

-- staff_members

create table staff_members (
  id text not null,
  name text not null,
  role text not null,
  created_at timestamp with time zone not null,
  removed_at timestamp with time zone,
  email text,
  password_hash text,
  totp_nonce text,
  totp_step bigint,
  recovery_hashes bytea[] not null default '{}'::bytea[],
  invite_hash bytea,
  invite_expires_at timestamp with time zone,
  invited_by text,
  invited_at timestamp with time zone,
  constraint staff_members_pkey PRIMARY KEY (id),
  constraint staff_members_email_check CHECK ((email = lower(email))),
  constraint staff_members_name_check CHECK (((length(name) >= 1) AND (length(name) <= 120))),
  constraint staff_members_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'content'::text, 'support'::text, 'risk'::text, 'finance'::text, 'admin'::text])))
);

-- staff_passkeys

create table staff_passkeys (
  id text not null,
  member_id text not null,
  name text not null,
  public_key bytea not null,
  counter bigint not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  constraint staff_passkeys_pkey PRIMARY KEY (id),
  constraint staff_passkeys_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60)))
);

-- staff_sessions

create table staff_sessions (
  id text not null,
  member_id text not null,
  token_hash bytea not null,
  created_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  verified_at timestamp with time zone,
  challenge text,
  totp_nonce text,
  address text not null,
  agent text not null,
  ended_at timestamp with time zone,
  constraint staff_sessions_pkey PRIMARY KEY (id),
  constraint staff_sessions_token_hash_key UNIQUE (token_hash)
);

-- terms_acceptances

create table terms_acceptances (
  customer_id text not null,
  accepted_at timestamp with time zone not null,
  version text not null,
  address text not null,
  constraint terms_acceptances_pkey PRIMARY KEY (customer_id, accepted_at)
);

-- waiting_returns

create table waiting_returns (
  id text not null,
  merchant_id bigint not null,
  merchant_slug text not null,
  merchant_name text not null,
  customer_id text not null,
  checkout_hash text not null,
  amount_cents bigint not null,
  reason text not null,
  asked_at timestamp with time zone not null,
  asked_by text not null,
  status text not null default 'waiting'::text,
  closed_at timestamp with time zone,
  closed_by text,
  refusal text,
  constraint waiting_returns_pkey PRIMARY KEY (id),
  constraint waiting_returns_amount_cents_check CHECK ((amount_cents > 0)),
  constraint waiting_returns_check CHECK (((status = 'waiting'::text) = (closed_at IS NULL))),
  constraint waiting_returns_check1 CHECK (((status = 'waiting'::text) = (closed_by IS NULL))),
  constraint waiting_returns_check2 CHECK (((status = 'refused'::text) = (refusal IS NOT NULL))),
  constraint waiting_returns_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'made'::text, 'refused'::text])))
);

-- webhook_deliveries

create table webhook_deliveries (
  endpoint_id text not null,
  event_id text not null,
  partner_id text not null,
  "position" bigint,
  type text not null,
  occurred_at timestamp with time zone not null,
  status text not null default 'pending'::text,
  tries integer not null default 0,
  waiting_since timestamp with time zone not null default now(),
  due_at timestamp with time zone not null default now(),
  settled_at timestamp with time zone,
  attempts jsonb not null default '[]'::jsonb,
  last_exchange jsonb,
  constraint webhook_deliveries_pkey PRIMARY KEY (endpoint_id, event_id),
  constraint webhook_deliveries_check CHECK ((("position" IS NOT NULL) OR (status <> 'pending'::text))),
  constraint webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
);

-- webhook_endpoints

create table webhook_endpoints (
  id text not null,
  partner_id text not null,
  url text not null,
  event_types text[] not null,
  merchant_id bigint,
  merchant_slug text,
  status text not null default 'enabled'::text,
  disabled_reason text,
  disabled_at timestamp with time zone,
  created_at timestamp with time zone not null,
  secrets bytea not null,
  key_version integer not null,
  old_secret_until timestamp with time zone,
  revision integer not null default 1,
  failing_since timestamp with time zone,
  failures integer not null default 0,
  held_until timestamp with time zone,
  scopes text[],
  constraint webhook_endpoints_pkey PRIMARY KEY (id),
  constraint webhook_endpoints_check CHECK (((status = 'disabled'::text) = (disabled_reason IS NOT NULL))),
  constraint webhook_endpoints_check1 CHECK (((status = 'disabled'::text) = (disabled_at IS NOT NULL))),
  constraint webhook_endpoints_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['operator'::text, 'partner'::text, 'gone'::text, 'failing'::text]))),
  constraint webhook_endpoints_status_check CHECK ((status = ANY (ARRAY['enabled'::text, 'disabled'::text])))
) with (fillfactor=70);

-- write_offs

create table write_offs (
  customer_id text not null,
  checkout_hash text not null,
  id text not null,
  reason text not null,
  written_off_at timestamp with time zone not null,
  written_off_by text not null,
  reinstated_at timestamp with time zone,
  reinstated_by text,
  constraint write_offs_pkey PRIMARY KEY (customer_id, id),
  constraint write_offs_check CHECK (((reinstated_at IS NULL) = (reinstated_by IS NULL)))
);

-- Views

create view cashback_credits as
 SELECT l.customer_id,
    l."position",
    l.installment_id,
    l.expires_on,
    l.amount_cents,
    l.remaining_cents,
    l.expired_cents,
    l.reversed_at,
    m.id,
    m.kind,
    m.checkout_hash,
    m.occurred_at
   FROM (cashback_lots l
     JOIN cashback_movements m ON (((m.customer_id = l.customer_id) AND (m."position" = l."position"))));

-- References

alter table api_keys add constraint api_keys_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partners(id);
alter table api_keys add constraint api_keys_replaces_fkey FOREIGN KEY (replaces) REFERENCES api_keys(id);
alter table bureau_reports add constraint bureau_reports_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id);
alter table cashback_lots add constraint cashback_lots_customer_id_position_fkey FOREIGN KEY (customer_id, "position") REFERENCES cashback_movements(customer_id, "position");
alter table cashback_movements add constraint cashback_movements_customer_id_of_position_fkey FOREIGN KEY (customer_id, of_position) REFERENCES cashback_movements(customer_id, "position");
alter table cashback_movements add constraint cashback_movements_customer_id_posting_id_fkey FOREIGN KEY (customer_id, posting_id) REFERENCES ledger_postings(customer_id, id);
alter table checkouts add constraint checkouts_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id);
alter table contracts add constraint contracts_customer_id_checkout_hash_fkey FOREIGN KEY (customer_id, checkout_hash) REFERENCES checkouts(customer_id, hash);
alter table credit_decisions add constraint credit_decisions_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id);
alter table credit_standings add constraint credit_standings_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id);
alter table customer_notes add constraint customer_notes_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id);
alter table customer_partners add constraint customer_partners_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id);
alter table customer_partners add constraint customer_partners_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partners(id);
alter table delivery_reports add constraint delivery_reports_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider_messages(provider_id) ON DELETE CASCADE;
alter table installments add constraint installments_customer_id_checkout_hash_fkey FOREIGN KEY (customer_id, checkout_hash) REFERENCES checkouts(customer_id, hash);
alter table invitations add constraint invitations_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id);
alter table invitations add constraint invitations_customer_id_referrer_position_fkey FOREIGN KEY (customer_id, referrer_position) REFERENCES cashback_movements(customer_id, "position");
alter table leads add constraint leads_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partners(id);
alter table ledger_entries add constraint ledger_entries_customer_id_posting_id_fkey FOREIGN KEY (customer_id, posting_id) REFERENCES ledger_postings(customer_id, id);
alter table ledger_postings add constraint ledger_postings_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id);
alter table member_sessions add constraint member_sessions_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id);
alter table member_sessions add constraint member_sessions_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partners(id);
alter table merchant_entries add constraint merchant_entries_merchant_id_posting_id_fkey FOREIGN KEY (merchant_id, posting_id) REFERENCES merchant_postings(merchant_id, id);
alter table merchant_lines add constraint merchant_lines_of_payout_id_fkey FOREIGN KEY (of_payout_id) REFERENCES payouts(id);
alter table merchant_lines add constraint merchant_lines_payout_id_fkey FOREIGN KEY (payout_id) REFERENCES payouts(id);
alter table merchants add constraint merchants_category_slug_fkey FOREIGN KEY (category_slug) REFERENCES categories(slug);
alter table message_subjects add constraint message_subjects_customer_id_message_id_fkey FOREIGN KEY (customer_id, message_id) REFERENCES messages(customer_id, id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
alter table messages add constraint messages_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id);
alter table pix_authorisations add constraint pix_authorisations_customer_id_checkout_hash_fkey FOREIGN KEY (customer_id, checkout_hash) REFERENCES checkouts(customer_id, hash);
alter table pix_charges add constraint pix_charges_customer_id_installment_id_fkey FOREIGN KEY (customer_id, installment_id) REFERENCES installments(customer_id, id);
alter table pix_debits add constraint pix_debits_customer_id_charge_id_fkey FOREIGN KEY (customer_id, charge_id) REFERENCES pix_charges(customer_id, id);
alter table pix_discrepancies add constraint pix_discrepancies_customer_id_charge_id_fkey FOREIGN KEY (customer_id, charge_id) REFERENCES pix_charges(customer_id, id);
alter table pix_moves add constraint pix_moves_customer_id_charge_id_fkey FOREIGN KEY (customer_id, charge_id) REFERENCES pix_charges(customer_id, id);
alter table pix_payments add constraint pix_payments_customer_id_charge_id_fkey FOREIGN KEY (customer_id, charge_id) REFERENCES pix_charges(customer_id, id);
alter table pix_refunds add constraint pix_refunds_customer_id_end_to_end_id_fkey FOREIGN KEY (customer_id, end_to_end_id) REFERENCES pix_payments(customer_id, end_to_end_id);
alter table psp_sim_debits add constraint psp_sim_debits_rec_id_fkey FOREIGN KEY (rec_id) REFERENCES psp_sim_recs(id);
alter table psp_sim_locations add constraint psp_sim_locations_txid_fkey FOREIGN KEY (txid) REFERENCES psp_sim_charges(txid);
alter table psp_sim_past_terms add constraint psp_sim_past_terms_txid_fkey FOREIGN KEY (txid) REFERENCES psp_sim_charges(txid);
alter table psp_sim_recs add constraint psp_sim_recs_location_id_fkey FOREIGN KEY (location_id) REFERENCES psp_sim_rec_locations(id);
alter table psp_sim_refunds add constraint psp_sim_refunds_end_to_end_id_fkey FOREIGN KEY (end_to_end_id) REFERENCES psp_sim_pix(end_to_end_id);
alter table push_subscriptions add constraint push_subscriptions_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id);
alter table receipts add constraint receipts_customer_id_installment_id_fkey FOREIGN KEY (customer_id, installment_id) REFERENCES installments(customer_id, id);
alter table returns add constraint returns_customer_id_checkout_hash_fkey FOREIGN KEY (customer_id, checkout_hash) REFERENCES checkouts(customer_id, hash);
alter table sessions add constraint sessions_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id);
alter table sessions add constraint sessions_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partners(id);
alter table staff_passkeys add constraint staff_passkeys_member_id_fkey FOREIGN KEY (member_id) REFERENCES staff_members(id);
alter table staff_sessions add constraint staff_sessions_member_id_fkey FOREIGN KEY (member_id) REFERENCES staff_members(id);
alter table terms_acceptances add constraint terms_acceptances_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id);
alter table webhook_endpoints add constraint webhook_endpoints_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partners(id);
alter table write_offs add constraint write_offs_customer_id_checkout_hash_fkey FOREIGN KEY (customer_id, checkout_hash) REFERENCES checkouts(customer_id, hash);

-- Indexes

CREATE INDEX api_keys_by_merchant ON public.api_keys USING btree (merchant_id) WHERE (merchant_id IS NOT NULL);
CREATE INDEX api_keys_by_partner ON public.api_keys USING btree (partner_id, created_at);
CREATE INDEX api_keys_by_person ON public.api_keys USING btree (person_id) WHERE (person_id IS NOT NULL);
CREATE INDEX approvals_by_status ON public.approvals USING btree (status, asked_at, id);
CREATE INDEX approvals_by_subject ON public.approvals USING btree (subject);
CREATE INDEX approvals_by_time ON public.approvals USING btree (asked_at, id);
CREATE UNIQUE INDEX approvals_pending ON public.approvals USING btree (subject_kind, subject) WHERE (status = 'waiting'::text);
CREATE UNIQUE INDEX approvals_waiting ON public.approvals USING btree (request_hash) WHERE (status = 'waiting'::text);
CREATE INDEX attempt_windows_about ON public.attempt_windows USING btree (about) WHERE (about IS NOT NULL);
CREATE INDEX attempt_windows_by_age ON public.attempt_windows USING btree (forget_at);
CREATE INDEX audit_trail_by_actor ON public.audit_trail USING btree (actor, at DESC, id DESC);
CREATE INDEX audit_trail_by_kind ON public.audit_trail USING btree (subject_kind, at DESC, id DESC);
CREATE INDEX audit_trail_by_request ON public.audit_trail USING btree (request_id) WHERE (request_id IS NOT NULL);
CREATE INDEX audit_trail_by_subject ON public.audit_trail USING btree (subject_kind, subject_id, at DESC, id DESC);
CREATE INDEX audit_trail_by_time ON public.audit_trail USING btree (at DESC, id DESC);
CREATE INDEX calendar_feeds_of_customer ON public.calendar_feeds USING btree (customer_id);
CREATE INDEX cashback_lots_left ON public.cashback_lots USING btree (customer_id, expires_on, "position") WHERE (remaining_cents > 0);
CREATE UNIQUE INDEX cashback_lots_of_installment ON public.cashback_lots USING btree (customer_id, installment_id) WHERE ((installment_id IS NOT NULL) AND (reversed_at IS NULL));
CREATE INDEX cashback_lots_to_expire ON public.cashback_lots USING btree (expires_on, customer_id) WHERE (remaining_cents > 0);
CREATE INDEX cashback_movements_by_kind ON public.cashback_movements USING btree (kind, occurred_at DESC, id DESC);
CREATE INDEX cashback_movements_by_time ON public.cashback_movements USING btree (occurred_at DESC, id DESC);
CREATE INDEX checkouts_by_day ON public.checkouts USING btree (purchased_at DESC, hash DESC, late_after);
CREATE INDEX checkouts_by_status ON public.checkouts USING btree (customer_id, late_after);
CREATE INDEX checkouts_newest_first ON public.checkouts USING btree (customer_id, purchased_at DESC, hash DESC);
CREATE INDEX checkouts_not_paid ON public.checkouts USING btree (late_after) WHERE (late_after < 'infinity'::date);
CREATE INDEX checkouts_of_merchant ON public.checkouts USING btree (merchant_id, purchased_at DESC, hash DESC);
CREATE INDEX checkouts_paid ON public.checkouts USING btree (purchased_at DESC, hash DESC) WHERE (late_after = 'infinity'::date);
CREATE INDEX checkouts_written_off ON public.checkouts USING btree (purchased_at DESC, hash DESC) WHERE (written_off_at IS NOT NULL);
CREATE INDEX credit_decisions_by_id ON public.credit_decisions USING btree (id);
CREATE INDEX credit_decisions_by_outcome ON public.credit_decisions USING btree (outcome, decided_at DESC, id DESC);
CREATE INDEX credit_decisions_by_shadow ON public.credit_decisions USING btree (shadow_version, decided_at DESC, id DESC) WHERE (shadow_version IS NOT NULL);
CREATE INDEX credit_decisions_by_time ON public.credit_decisions USING btree (decided_at DESC, id DESC);
CREATE INDEX credit_decisions_of_customer ON public.credit_decisions USING btree (customer_id, decided_at DESC);
CREATE UNIQUE INDEX credit_decisions_of_offer ON public.credit_decisions USING btree (customer_id, offer_id, outcome) WHERE (offer_id IS NOT NULL);
CREATE UNIQUE INDEX credit_decisions_waiting ON public.credit_decisions USING btree (customer_id, moment) WHERE ((outcome = 'review'::text) AND (offer_id IS NULL));
CREATE INDEX customers_by_creation ON public.customers USING btree (created_at, id);
CREATE INDEX customers_by_key_version ON public.customers USING btree (substr(person_sealed, 1, 4));
CREATE INDEX customers_by_token ON public.customers USING gin (search_tokens);
CREATE INDEX customers_erased ON public.customers USING btree (created_at, id) WHERE (erased_at IS NOT NULL);
CREATE INDEX customers_locked ON public.customers USING btree (created_at, id) WHERE ((locked_at IS NOT NULL) AND (erased_at IS NULL));
CREATE INDEX ended_sessions_by_time ON public.ended_sessions USING btree (ended_at);
CREATE INDEX event_outbox_in_order ON public.event_outbox USING btree ("position");
CREATE INDEX event_sequences_by_checkout ON public.event_sequences USING btree (checkout_hash);
CREATE INDEX events_by_age ON public.events USING btree (occurred_at, "position");
CREATE INDEX events_by_type ON public.events USING btree (type, occurred_at, "position");
CREATE UNIQUE INDEX events_of_checkout ON public.events USING btree (customer_id, checkout_hash, sequence) WHERE (checkout_hash IS NOT NULL);
CREATE INDEX events_of_customer ON public.events USING btree (customer_id, "position");
CREATE INDEX faq_entries_by_topic ON public.faq_entries USING btree (topic, "position", id) WHERE listed;
CREATE INDEX global_events_by_age ON public.global_events USING btree (occurred_at, ((- "position")));
CREATE INDEX global_events_by_type ON public.global_events USING btree (type, occurred_at, ((- "position")));
CREATE INDEX idempotent_answers_by_age ON public.idempotent_answers USING btree (created_at);
CREATE INDEX installments_by_id ON public.installments USING btree (id);
CREATE INDEX installments_due ON public.installments USING btree (due_on, customer_id) WHERE (paid_at IS NULL);
CREATE INDEX installments_late_sums ON public.installments USING btree (effective_due_on, customer_id) INCLUDE (outstanding_cents, agreed_due_on, number) WHERE (paid_at IS NULL);
CREATE INDEX installments_untold ON public.installments USING btree (effective_due_on, customer_id) WHERE ((paid_at IS NULL) AND (NOT (effective_due_on = ANY (overdue_told))));
CREATE INDEX invitations_by_reward ON public.invitations USING btree (invited_at DESC, invited_id DESC) WHERE (rewarded_at IS NOT NULL);
CREATE INDEX invitations_by_time ON public.invitations USING btree (invited_at DESC, invited_id DESC);
CREATE INDEX invitations_held ON public.invitations USING btree (invited_at DESC, invited_id DESC) WHERE (held_at IS NOT NULL);
CREATE INDEX invitations_newest_first ON public.invitations USING btree (customer_id, invited_at DESC, invited_id DESC);
CREATE INDEX invitations_refused ON public.invitations USING btree (invited_at DESC, invited_id DESC) WHERE (reward_outcome = 'refused'::text);
CREATE INDEX invitations_rewarded ON public.invitations USING btree (customer_id, rewarded_at) WHERE (reward_cents > 0);
CREATE INDEX known_addresses_by_age ON public.known_addresses USING btree (seen_at);
CREATE INDEX known_addresses_of_customer ON public.known_addresses USING btree (customer_id, seen_at DESC);
CREATE INDEX lead_fingerprints_by_age ON public.lead_fingerprints USING btree (received_at);
CREATE INDEX leads_by_arrival ON public.leads USING btree (received_at DESC, id DESC);
CREATE INDEX leads_by_email ON public.leads USING btree (email_hash) WHERE (email_hash IS NOT NULL);
CREATE INDEX leads_by_kind ON public.leads USING btree (kind, received_at DESC, id DESC);
CREATE INDEX leads_by_phone ON public.leads USING btree (phone_hash) WHERE (phone_hash IS NOT NULL);
CREATE INDEX leads_by_words ON public.leads USING gin (tokens);
CREATE INDEX leads_unhandled ON public.leads USING btree (received_at DESC, id DESC) WHERE (status = 'new'::text);
CREATE INDEX ledger_postings_backdated ON public.ledger_postings USING btree (posted_at) WHERE ((written_at - posted_at) > '00:30:00'::interval);
CREATE INDEX ledger_postings_by_time ON public.ledger_postings USING btree (posted_at);
CREATE INDEX login_challenges_by_age ON public.login_challenges USING btree (expires_at);
CREATE INDEX media_by_age ON public.media USING btree (uploaded_at DESC, name);
CREATE INDEX member_sessions_by_end ON public.member_sessions USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX member_sessions_by_refresh_expiry ON public.member_sessions USING btree (refresh_expires_at);
CREATE UNIQUE INDEX members_active ON public.members USING btree (merchant_id, phone_hash) WHERE (removed_at IS NULL);
CREATE INDEX members_by_any_phone ON public.members USING btree (phone_hash);
CREATE INDEX members_by_phone ON public.members USING btree (phone_hash) WHERE (removed_at IS NULL);
CREATE INDEX members_by_removal ON public.members USING btree (removed_at) WHERE (length(phone_hash) > 0);
CREATE INDEX merchant_events_by_age ON public.merchant_events USING brin (occurred_at) WITH (pages_per_range='16');
CREATE UNIQUE INDEX merchant_lines_about_payout ON public.merchant_lines USING btree (of_payout_id, kind) WHERE (of_payout_id IS NOT NULL);
CREATE INDEX merchant_lines_in_order ON public.merchant_lines USING btree (merchant_id, occurred_at, "position") INCLUDE (amount_cents);
CREATE INDEX merchant_lines_of_checkout ON public.merchant_lines USING btree (checkout_hash);
CREATE INDEX merchant_lines_of_payout ON public.merchant_lines USING btree (payout_id, occurred_at, "position");
CREATE UNIQUE INDEX merchant_lines_of_sale ON public.merchant_lines USING btree (checkout_hash, kind) WHERE (kind = ANY (ARRAY['sale'::text, 'fee'::text]));
CREATE INDEX merchant_lines_to_settle ON public.merchant_lines USING btree (merchant_id, due_on) INCLUDE (amount_cents) WHERE (payout_id IS NULL);
CREATE INDEX merchant_postings_backdated ON public.merchant_postings USING btree (posted_at) WHERE ((written_at - posted_at) > '00:30:00'::interval);
CREATE INDEX merchant_postings_by_reference ON public.merchant_postings USING btree (reference);
CREATE INDEX merchant_postings_by_time ON public.merchant_postings USING btree (posted_at);
CREATE INDEX merchants_by_category ON public.merchants USING btree (category_slug);
CREATE INDEX merchants_by_logo ON public.merchants USING btree (logo_url) WHERE (logo_url IS NOT NULL);
CREATE INDEX merchants_by_name ON public.merchants USING btree (name_key, id);
CREATE INDEX merchants_by_revision ON public.merchants USING btree (revision);
CREATE INDEX message_subjects_by_day ON public.message_subjects USING btree (told_on) WHERE (template = 'reminder'::text);
CREATE INDEX message_windows_by_age ON public.message_windows USING btree (forget_at);
CREATE INDEX messages_failed ON public.messages USING btree (updated_at DESC) WHERE (status = 'failed'::text);
CREATE INDEX messages_newest_first ON public.messages USING btree (created_at DESC, id DESC);
CREATE UNIQUE INDEX messages_one_a_day ON public.messages USING btree (customer_id, template, day) WHERE (day IS NOT NULL);
CREATE INDEX messages_waiting ON public.messages USING btree (updated_at) WHERE (status = ANY (ARRAY['queued'::text, 'retrying'::text]));
CREATE UNIQUE INDEX offers_by_code ON public.offers USING btree (code_hash) WHERE (code_hash IS NOT NULL);
CREATE INDEX offers_by_end ON public.offers USING btree (closed_at) WHERE (status = ANY (ARRAY['declined'::text, 'expired'::text, 'cancelled'::text]));
CREATE INDEX offers_by_expiry ON public.offers USING btree (expires_at) WHERE (status = 'pending'::text);
CREATE INDEX offers_by_reference ON public.offers USING btree (merchant_id, reference, created_at DESC, id DESC) WHERE (reference IS NOT NULL);
CREATE INDEX offers_by_reference_of_any ON public.offers USING btree (reference) WHERE (reference IS NOT NULL);
CREATE INDEX offers_by_status ON public.offers USING btree (status, created_at DESC, id DESC);
CREATE UNIQUE INDEX offers_by_token ON public.offers USING btree (token_hash) WHERE (token_hash IS NOT NULL);
CREATE UNIQUE INDEX offers_live_reference ON public.offers USING btree (merchant_id, reference) WHERE (status = ANY (ARRAY['pending'::text, 'accepted'::text]));
CREATE INDEX offers_newest_first ON public.offers USING btree (created_at DESC, id DESC);
CREATE INDEX offers_of_customer ON public.offers USING btree (customer_id, created_at DESC, id DESC) WHERE (customer_id IS NOT NULL);
CREATE INDEX offers_of_merchant ON public.offers USING btree (merchant_id, created_at DESC, id DESC);
CREATE INDEX offers_to_phone ON public.offers USING btree (phone_hash, created_at DESC, id DESC);
CREATE INDEX partner_events_by_merchant ON public.partner_events USING btree (partner_id, merchant_id, type, "position") WHERE (merchant_id IS NOT NULL);
CREATE INDEX partner_events_by_time ON public.partner_events USING btree (partner_id, occurred_at, "position");
CREATE INDEX partner_events_by_type ON public.partner_events USING btree (partner_id, type, "position") WHERE unbound;
CREATE INDEX payout_accounts_to_change ON public.payout_accounts USING btree (change_counts_at) WHERE (change_counts_at IS NOT NULL);
CREATE INDEX payouts_by_bank_number ON public.payouts USING btree ("right"(id, 20));
CREATE INDEX payouts_by_reference ON public.payouts USING btree (reference) WHERE (reference IS NOT NULL);
CREATE INDEX payouts_by_status ON public.payouts USING btree (status, created_at DESC, id DESC);
CREATE INDEX payouts_newest_first ON public.payouts USING btree (created_at DESC, id DESC);
CREATE INDEX payouts_of_merchant ON public.payouts USING btree (merchant_id, created_at DESC, id DESC);
CREATE INDEX phone_changes_by_age ON public.phone_changes USING btree (closed_at) WHERE (status <> 'waiting'::text);
CREATE INDEX phone_changes_due ON public.phone_changes USING btree (counts_at) WHERE (status = 'waiting'::text);
CREATE INDEX phone_changes_of_customer ON public.phone_changes USING btree (customer_id, asked_at);
CREATE UNIQUE INDEX phone_changes_waiting ON public.phone_changes USING btree (customer_id) WHERE (status = 'waiting'::text);
CREATE INDEX phone_messages_by_age ON public.phone_messages USING btree (updated_at);
CREATE INDEX phone_messages_by_phone ON public.phone_messages USING btree (phone_hash);
CREATE INDEX phone_messages_waiting ON public.phone_messages USING btree (updated_at) WHERE (status = ANY (ARRAY['queued'::text, 'retrying'::text]));
CREATE INDEX pix_authorisations_by_status ON public.pix_authorisations USING btree (status, created_at DESC, id DESC);
CREATE UNIQUE INDEX pix_authorisations_live ON public.pix_authorisations USING btree (customer_id, checkout_hash) WHERE (status = ANY (ARRAY['creating'::text, 'pending'::text, 'active'::text]));
CREATE INDEX pix_authorisations_newest_first ON public.pix_authorisations USING btree (created_at DESC, id DESC);
CREATE INDEX pix_authorisations_to_look_at ON public.pix_authorisations USING btree (look_on) WHERE (status = 'active'::text);
CREATE INDEX pix_authorisations_to_remove ON public.pix_authorisations USING btree (created_at) WHERE ((status = ANY (ARRAY['expired'::text, 'ended'::text, 'discarded'::text])) AND (removed_at IS NULL));
CREATE INDEX pix_authorisations_to_sync ON public.pix_authorisations USING btree (synced_at) WHERE (status = ANY (ARRAY['creating'::text, 'pending'::text, 'active'::text]));
CREATE INDEX pix_charges_by_status ON public.pix_charges USING btree (status, created_at DESC, id DESC);
CREATE INDEX pix_charges_by_type ON public.pix_charges USING btree (type, created_at DESC, id DESC) WHERE (br_code IS NOT NULL);
CREATE UNIQUE INDEX pix_charges_live ON public.pix_charges USING btree (customer_id, installment_id, type, priced_on) WHERE (status = ANY (ARRAY['creating'::text, 'pending'::text]));
CREATE INDEX pix_charges_newest_first ON public.pix_charges USING btree (created_at DESC, id DESC);
CREATE INDEX pix_charges_of_installment ON public.pix_charges USING btree (customer_id, installment_id, created_at DESC, id DESC);
CREATE INDEX pix_charges_pending ON public.pix_charges USING btree (expires_at) WHERE (status = 'pending'::text);
CREATE INDEX pix_charges_to_remove ON public.pix_charges USING btree (created_at) WHERE ((status = ANY (ARRAY['cancelled'::text, 'discarded'::text])) AND (removed_at IS NULL));
CREATE INDEX pix_debits_by_day ON public.pix_debits USING btree (due_on);
CREATE UNIQUE INDEX pix_debits_of_cycle ON public.pix_debits USING btree (customer_id, authorisation_id, cycle) WHERE open;
CREATE INDEX pix_debits_to_check ON public.pix_debits USING btree (check_at) WHERE (check_at IS NOT NULL);
CREATE INDEX pix_discrepancies_newest_first ON public.pix_discrepancies USING btree (found_at DESC, charge_id) WHERE (resolved_at IS NULL);
CREATE INDEX pix_discrepancies_to_recheck ON public.pix_discrepancies USING btree (recheck_at) WHERE (resolved_at IS NULL);
CREATE INDEX pix_moves_of_charge ON public.pix_moves USING btree (customer_id, charge_id);
CREATE INDEX pix_moves_of_payment ON public.pix_moves USING btree (end_to_end_id, "position");
CREATE INDEX pix_notices_by_age ON public.pix_notices USING btree (received_at);
CREATE INDEX pix_notices_by_psp_id ON public.pix_notices USING gin (psp_ids);
CREATE INDEX pix_notices_unlisted ON public.pix_notices USING btree (id) WHERE (psp_ids IS NULL);
CREATE INDEX pix_orphans_by_status ON public.pix_orphans USING btree (status, found_at DESC, end_to_end_id DESC);
CREATE INDEX pix_orphans_newest_first ON public.pix_orphans USING btree (found_at DESC, end_to_end_id DESC);
CREATE INDEX pix_payments_by_end_to_end_id ON public.pix_payments USING btree (end_to_end_id);
CREATE INDEX pix_payments_newest_first ON public.pix_payments USING btree (paid_at DESC, end_to_end_id DESC);
CREATE INDEX pix_recurrences_by_authorisation ON public.pix_recurrences USING btree (authorisation_id);
CREATE INDEX pix_refunds_by_id ON public.pix_refunds USING btree (id);
CREATE INDEX pix_refunds_by_settlement ON public.pix_refunds USING btree (settled_at) WHERE (settled_at IS NOT NULL);
CREATE INDEX pix_refunds_by_status ON public.pix_refunds USING btree (status, created_at DESC, id DESC);
CREATE INDEX pix_refunds_newest_first ON public.pix_refunds USING btree (created_at DESC, id DESC);
CREATE INDEX pix_refunds_open ON public.pix_refunds USING btree (due_at) WHERE (status = ANY (ARRAY['asked'::text, 'processing'::text]));
CREATE INDEX pix_refunds_stranded ON public.pix_refunds USING btree (created_at DESC, id) WHERE (stranded_cents > 0);
CREATE INDEX pix_txids_by_charge ON public.pix_txids USING btree (charge_id);
CREATE INDEX posts_by_publication ON public.posts USING btree (published_at DESC, slug) WHERE (published_at IS NOT NULL);
CREATE INDEX provider_messages_by_age ON public.provider_messages USING btree (created_at);
CREATE INDEX psp_sim_charges_by_creation ON public.psp_sim_charges USING btree (created_at, txid);
CREATE UNIQUE INDEX psp_sim_debits_of_cycle ON public.psp_sim_debits USING btree (rec_id, cycle) WHERE (status <> ALL (ARRAY['REJEITADA'::text, 'CANCELADA'::text]));
CREATE INDEX psp_sim_debits_to_try ON public.psp_sim_debits USING btree (next_try_at) WHERE (next_try_at IS NOT NULL);
CREATE INDEX psp_sim_deliveries_by_age ON public.psp_sim_deliveries USING btree (created_at);
CREATE INDEX psp_sim_deliveries_waiting ON public.psp_sim_deliveries USING btree (due_at, id) WHERE (state = 'waiting'::text);
CREATE INDEX psp_sim_locations_by_creation ON public.psp_sim_locations USING btree (created_at, id);
CREATE INDEX psp_sim_pix_by_time ON public.psp_sim_pix USING btree (paid_at, end_to_end_id);
CREATE INDEX psp_sim_pix_by_txid ON public.psp_sim_pix USING btree (txid);
CREATE INDEX psp_sim_recs_by_charge ON public.psp_sim_recs USING btree (first_txid) WHERE (first_txid IS NOT NULL);
CREATE INDEX psp_sim_recs_live ON public.psp_sim_recs USING btree ((((terms -> 'calendario'::text) ->> 'dataFinal'::text))) WHERE (status = ANY (ARRAY['CRIADA'::text, 'APROVADA'::text]));
CREATE INDEX psp_sim_refunds_in_process ON public.psp_sim_refunds USING btree (settles_at) WHERE (status = 'EM_PROCESSAMENTO'::text);
CREATE INDEX receipts_by_time ON public.receipts USING btree (received_at) INCLUDE (source, amount_cents) WHERE (part = 0);
CREATE INDEX receipts_of_checkout ON public.receipts USING btree (customer_id, checkout_hash, received_at, "position");
CREATE INDEX returns_of_checkout ON public.returns USING btree (customer_id, checkout_hash, "position");
CREATE INDEX sandbox_messages_by_age ON public.sandbox_messages USING btree (sent_at);
CREATE INDEX sandbox_messages_by_email ON public.sandbox_messages USING btree (email, id DESC) WHERE (email IS NOT NULL);
CREATE INDEX sandbox_messages_by_phone ON public.sandbox_messages USING btree (phone, id DESC);
CREATE INDEX sessions_by_end ON public.sessions USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX sessions_by_refresh_expiry ON public.sessions USING btree (refresh_expires_at);
CREATE UNIQUE INDEX staff_members_by_email ON public.staff_members USING btree (email) WHERE (removed_at IS NULL);
CREATE UNIQUE INDEX staff_members_by_invite ON public.staff_members USING btree (invite_hash);
CREATE INDEX staff_passkeys_by_member ON public.staff_passkeys USING btree (member_id);
CREATE INDEX staff_sessions_by_age ON public.staff_sessions USING btree (created_at);
CREATE INDEX staff_sessions_by_member ON public.staff_sessions USING btree (member_id);
CREATE INDEX waiting_returns_by_status ON public.waiting_returns USING btree (status, asked_at DESC, id DESC);
CREATE INDEX waiting_returns_newest_first ON public.waiting_returns USING btree (asked_at DESC, id DESC);
CREATE INDEX waiting_returns_of_checkout ON public.waiting_returns USING btree (checkout_hash) WHERE (status = 'waiting'::text);
CREATE INDEX waiting_returns_of_customer ON public.waiting_returns USING btree (customer_id, asked_at);
CREATE INDEX waiting_returns_of_merchant ON public.waiting_returns USING btree (merchant_id, asked_at DESC, id DESC);
CREATE INDEX webhook_deliveries_by_age ON public.webhook_deliveries USING btree (occurred_at);
CREATE INDEX webhook_deliveries_by_status ON public.webhook_deliveries USING btree (endpoint_id, status, event_id);
CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (endpoint_id, due_at, "position") WHERE (status = 'pending'::text);
CREATE INDEX webhook_endpoints_by_partner ON public.webhook_endpoints USING btree (partner_id, id);
CREATE UNIQUE INDEX write_offs_standing ON public.write_offs USING btree (customer_id, checkout_hash) WHERE (reinstated_at IS NULL);

-- Triggers

CREATE TRIGGER api_keys_notify AFTER INSERT OR DELETE OR UPDATE OF hash, scopes, allowed_origins, return_origins, requests_per_minute, backend, merchant_id, role, expires_at, revoked_at OR TRUNCATE ON public.api_keys FOR EACH STATEMENT EXECUTE FUNCTION notify_change('keys');
CREATE TRIGGER audit_trail_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_trail FOR EACH STATEMENT EXECUTE FUNCTION append_only('erasable');
CREATE TRIGGER cashback_lots_append_only BEFORE DELETE OR UPDATE OF customer_id, "position", installment_id, expires_on, amount_cents OR TRUNCATE ON public.cashback_lots FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER cashback_movements_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.cashback_movements FOR EACH STATEMENT EXECUTE FUNCTION append_only('erasable');
CREATE TRIGGER cashback_movements_follow BEFORE INSERT ON public.cashback_movements FOR EACH ROW EXECUTE FUNCTION cashback_movements_follow();
CREATE TRIGGER categories_notify AFTER INSERT OR DELETE OR UPDATE ON public.categories FOR EACH ROW EXECUTE FUNCTION notify_change('merchants all');
CREATE TRIGGER categories_notify_emptied AFTER TRUNCATE ON public.categories FOR EACH STATEMENT EXECUTE FUNCTION notify_change('merchants all');
CREATE TRIGGER checkouts_append_only BEFORE DELETE OR UPDATE OF customer_id, hash, merchant_id, merchant_slug, merchant_name, offer_id, purchased_at, created_at, financed_cents, total_cents, installments_total, weekly_rate_ppm, fine_ppm, late_interest_ppm, extension_fee_ppm, extension_days, extension_limit, cashback_ppm, cet_month_ppm, cet_year_ppm, merchant_fee_ppm, payout_days OR TRUNCATE ON public.checkouts FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER checkouts_queue_inserted AFTER INSERT ON public.checkouts FOR EACH ROW EXECUTE FUNCTION checkouts_queue_change();
CREATE TRIGGER checkouts_queue_updated AFTER UPDATE OF paid_cents, returned_cents, returned_at, outstanding_cents, late_after, written_off_at ON public.checkouts FOR EACH ROW WHEN (((old.paid_cents <> new.paid_cents) OR (old.returned_cents <> new.returned_cents) OR ((old.returned_at IS NULL) <> (new.returned_at IS NULL)) OR (old.outstanding_cents <> new.outstanding_cents) OR (old.late_after <> new.late_after) OR ((old.written_off_at IS NULL) <> (new.written_off_at IS NULL)))) EXECUTE FUNCTION checkouts_queue_change();
CREATE TRIGGER credit_policies_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.credit_policies FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER customer_notes_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.customer_notes FOR EACH STATEMENT EXECUTE FUNCTION append_only('erasable');
CREATE TRIGGER events_append_only BEFORE UPDATE ON public.events FOR EACH STATEMENT EXECUTE FUNCTION append_only('erasable');
CREATE TRIGGER faq_entries_notify AFTER INSERT OR DELETE OR UPDATE ON public.faq_entries FOR EACH ROW EXECUTE FUNCTION notify_change('faq');
CREATE TRIGGER faq_entries_notify_emptied AFTER TRUNCATE ON public.faq_entries FOR EACH STATEMENT EXECUTE FUNCTION notify_change('faq');
CREATE TRIGGER global_events_append_only BEFORE UPDATE ON public.global_events FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER installments_append_only BEFORE DELETE OR UPDATE OF customer_id, id, checkout_hash, number, amount_cents, principal_cents, interest_cents, agreed_due_on OR TRUNCATE ON public.installments FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER installments_queue_inserted AFTER INSERT ON public.installments REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION installments_queue_new();
CREATE TRIGGER installments_queue_updated AFTER UPDATE OF due_on, effective_due_on, returned_cents, outstanding_cents ON public.installments FOR EACH ROW WHEN (((old.due_on <> new.due_on) OR (old.effective_due_on <> new.effective_due_on) OR (old.returned_cents <> new.returned_cents) OR (old.outstanding_cents <> new.outstanding_cents))) EXECUTE FUNCTION installments_queue_change();
CREATE TRIGGER invitations_append_only BEFORE DELETE OR UPDATE OF customer_id, invited_id, invited_name_sealed, invited_at, referrer_reward_cents, invited_reward_cents, min_paid_cents OR TRUNCATE ON public.invitations FOR EACH STATEMENT EXECUTE FUNCTION append_only('erasable');
CREATE TRIGGER ledger_days_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_days FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER ledger_entries_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER ledger_entries_balance AFTER INSERT ON public.ledger_entries REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger_entries_balance();
CREATE TRIGGER ledger_postings_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_postings FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER merchant_entries_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.merchant_entries FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER merchant_entries_balance AFTER INSERT ON public.merchant_entries REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION merchant_entries_balance();
CREATE TRIGGER merchant_lines_append_only BEFORE DELETE OR UPDATE OF merchant_id, id, kind, amount_cents, due_on, merchant_slug, merchant_name, checkout_hash, of_payout_id, occurred_at OR TRUNCATE ON public.merchant_lines FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER merchant_lines_settled_once BEFORE UPDATE OF payout_id ON public.merchant_lines FOR EACH ROW EXECUTE FUNCTION merchant_lines_settled_once();
CREATE TRIGGER merchant_postings_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.merchant_postings FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER merchants_advance BEFORE UPDATE ON public.merchants FOR EACH ROW EXECUTE FUNCTION merchants_advance();
CREATE TRIGGER merchants_notify_inserted AFTER INSERT ON public.merchants REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION merchants_notify_changed();
CREATE TRIGGER merchants_notify_removed AFTER DELETE OR TRUNCATE ON public.merchants FOR EACH STATEMENT EXECUTE FUNCTION notify_change('merchants all');
CREATE TRIGGER merchants_notify_updated AFTER UPDATE ON public.merchants REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION merchants_notify_changed();
CREATE TRIGGER offers_append_only BEFORE UPDATE OF id, merchant_id, merchant_slug, merchant_name, phone_sealed, phone_hash, token_hash, code_hash, claim_sealed, reference, description, items, metadata, return_url, amount_cents, installments, weekly_rate_ppm, fine_ppm, late_interest_ppm, extension_fee_ppm, extension_days, extension_limit, cashback_ppm, merchant_fee_ppm, payout_days, created_at OR TRUNCATE ON public.offers FOR EACH STATEMENT EXECUTE FUNCTION append_only('erasable');
CREATE TRIGGER partner_events_append_only BEFORE UPDATE ON public.partner_events FOR EACH STATEMENT EXECUTE FUNCTION append_only('erasable');
CREATE TRIGGER payouts_append_only BEFORE DELETE OR UPDATE OF id, merchant_id, merchant_slug, merchant_name, amount_cents, due_on, created_at OR TRUNCATE ON public.payouts FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER pix_charges_append_only BEFORE DELETE OR UPDATE OF customer_id, id, installment_id, checkout_hash, type, value_cents, priced_on, txid, pix_key, expiration_seconds, created_at, expires_at, assigned_end_to_end_id OR TRUNCATE ON public.pix_charges FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER pix_moves_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.pix_moves FOR EACH STATEMENT EXECUTE FUNCTION append_only('erasable');
CREATE TRIGGER pix_payments_append_only BEFORE DELETE OR UPDATE OF customer_id, end_to_end_id, amount_cents, paid_at, recorded_at OR TRUNCATE ON public.pix_payments FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER posts_notify AFTER INSERT OR DELETE OR UPDATE ON public.posts FOR EACH ROW EXECUTE FUNCTION notify_change('posts');
CREATE TRIGGER posts_notify_emptied AFTER TRUNCATE ON public.posts FOR EACH STATEMENT EXECUTE FUNCTION notify_change('posts');
CREATE TRIGGER receipts_append_only BEFORE DELETE OR UPDATE OF customer_id, reference, part, source, installment_id, checkout_hash, received_at, recorded_at, amount_cents, purpose, priced_on OR TRUNCATE ON public.receipts FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER referrers_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.referrers FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER referrers_no_circle AFTER INSERT ON public.referrers FOR EACH ROW EXECUTE FUNCTION referrers_no_circle();
CREATE TRIGGER returns_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.returns FOR EACH STATEMENT EXECUTE FUNCTION append_only('erasable');
CREATE TRIGGER sandbox_clock_notify AFTER INSERT OR UPDATE ON public.sandbox_clock FOR EACH ROW EXECUTE FUNCTION sandbox_clock_notify();
CREATE TRIGGER signing_keys_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.signing_keys FOR EACH STATEMENT EXECUTE FUNCTION notify_change('signing_keys');
CREATE TRIGGER terms_acceptances_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.terms_acceptances FOR EACH STATEMENT EXECUTE FUNCTION append_only('erasable');
CREATE TRIGGER waiting_returns_append_only BEFORE DELETE OR UPDATE OF id, merchant_id, merchant_slug, merchant_name, customer_id, checkout_hash, amount_cents, reason, asked_at, asked_by OR TRUNCATE ON public.waiting_returns FOR EACH STATEMENT EXECUTE FUNCTION append_only('erasable');
CREATE TRIGGER write_offs_append_only BEFORE DELETE OR UPDATE OF customer_id, checkout_hash, id, reason, written_off_at, written_off_by OR TRUNCATE ON public.write_offs FOR EACH STATEMENT EXECUTE FUNCTION append_only('erasable');
