create table categories (
  slug text primary key,
  name text not null
);

create sequence merchant_revisions;

create table merchants (
  id bigint generated always as identity primary key,
  slug text not null unique,
  name text not null,
  -- The name folded (no case, no accents): what merchants are ordered by.
  name_key text not null collate "C",
  category_slug text not null references categories,
  description text,
  logo_url text,
  city text,
  state text,
  website text,
  cashback_percent numeric(7, 4) not null default 0 check (cashback_percent between 0 and 100),
  -- The plan: on what terms it sells. With cashback_percent.
  weekly_rate_percent numeric(7, 4) not null default 0 check (weekly_rate_percent between 0 and 100),
  max_installments smallint not null default 12 check (max_installments between 1 and 52),
  min_amount_cents bigint not null default 1000 check (min_amount_cents > 0),
  max_amount_cents bigint not null default 500000 check (max_amount_cents >= min_amount_cents),
  merchant_fee_percent numeric(7, 4) not null default 0 check (merchant_fee_percent between 0 and 100),
  payout_days smallint not null default 2 check (payout_days between 0 and 90),
  -- false: no longer shown, though old purchases still name it
  listed boolean not null default true,
  -- Grows with every write, so that nodes can ask for what changed since.
  revision bigint not null default nextval('merchant_revisions')
);
create index merchants_by_name on merchants (name_key, id);
create index merchants_by_revision on merchants (revision);
create index merchants_by_category on merchants (category_slug);

create function merchants_advance() returns trigger language plpgsql as $$
begin
  new.revision := nextval('merchant_revisions');
  return new;
end $$;
create trigger merchants_advance before update on merchants
  for each row execute function merchants_advance();

-- Nodes read again what has this revision or a later one.
create function merchants_notify_changed() returns trigger language plpgsql as $$
declare first_revision bigint := (select min(revision) from changed);
begin
  if first_revision is not null then
    perform pg_notify('semana_changes', 'merchants from ' || first_revision);
  end if;
  return null;
end $$;
create trigger merchants_notify_inserted after insert on merchants referencing new table as changed
  for each statement execute function merchants_notify_changed();
create trigger merchants_notify_updated after update on merchants referencing new table as changed
  for each statement execute function merchants_notify_changed();
create trigger merchants_notify_removed after delete or truncate on merchants
  for each statement execute function notify_change('merchants all');

-- A category's name is part of every merchant's answer. By row, so that a write that changes nothing is no news; one
-- transaction's equal news are one.
create trigger categories_notify after insert or update or delete on categories
  for each row execute function notify_change('merchants all');
create trigger categories_notify_emptied after truncate on categories
  for each statement execute function notify_change('merchants all');

create table faq_entries (
  id text primary key,
  topic text not null,
  question text not null,
  answer text not null,
  position integer not null default 0,
  listed boolean not null default true
);
create index faq_entries_by_topic on faq_entries (topic, position, id) where listed;
create trigger faq_entries_notify after insert or update or delete on faq_entries
  for each row execute function notify_change('faq');
create trigger faq_entries_notify_emptied after truncate on faq_entries
  for each statement execute function notify_change('faq');

create table posts (
  slug text primary key,
  title text not null,
  summary text not null,
  cover_url text,
  author text not null,
  tags text[] not null default '{}',
  -- null: a draft; later than now: not yet shown
  published_at timestamptz,
  -- Markdown, and the HTML that was made of it when it was written.
  body text not null,
  body_html text not null
);
create index posts_by_publication on posts (published_at desc, slug) where published_at is not null;
create trigger posts_notify after insert or update or delete on posts
  for each row execute function notify_change('posts');
create trigger posts_notify_emptied after truncate on posts
  for each statement execute function notify_change('posts');

create table leads (
  id text primary key,
  partner_id text not null references partners,
  kind text not null,
  -- What was written, and staff's note: AES-256-GCM, bound to the id. The first four bytes are the version of the data key.
  content_sealed bytea not null,
  -- Keyed hashes, by which it is found without reading it: phone, e-mail, how words of name, company and e-mail begin.
  phone_hash bytea,
  email_hash bytea,
  tokens bigint[] not null default '{}',
  status text not null default 'new' check (status in ('new', 'handled')),
  received_at timestamptz not null
);
create index leads_by_arrival on leads (received_at desc, id desc);
create index leads_by_kind on leads (kind, received_at desc, id desc);
create index leads_unhandled on leads (received_at desc, id desc) where status = 'new';
create index leads_by_phone on leads (phone_hash) where phone_hash is not null;
create index leads_by_email on leads (email_hash) where email_hash is not null;
create index leads_by_words on leads using gin (tokens);

-- The newest lead of each content. Whoever holds the row decides whether the same content is the same lead again.
create table lead_fingerprints (
  fingerprint bytea primary key,
  lead_id text not null,
  received_at timestamptz not null
);
create index lead_fingerprints_by_age on lead_fingerprints (received_at);

-- Pictures that were uploaded, named after what is in them: what is at an address never changes. In the database, so that every node
-- has them, and backups too.
create table media (
  name text primary key,
  type text not null,
  bytes bytea not null,
  size integer not null,
  width integer,
  height integer,
  uploaded_at timestamptz not null
);
-- They are compressed already.
alter table media alter column bytes set storage external;
create index media_by_age on media (uploaded_at desc, name);
create index merchants_by_logo on merchants (logo_url) where logo_url is not null;
