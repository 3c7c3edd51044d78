-- Everything that is said to somebody: see docs/messages.md.

-- Codes wait in phone_messages.
alter table login_challenges drop column sealed, drop column sealed_key_version;
-- Their successors are messages and channel_health.
create temporary table messages_before on commit drop as select * from messages;
drop table messages;
drop table sender_health;

-- What is said to a customer, from the moment it is decided.
create table messages (
  customer_id text not null references customers,
  id text not null,
  template text not null,
  -- Of a reminder: the days from the due day.
  step smallint,
  -- At most one of a template on this day.
  day date,
  status text not null
    check (status in ('queued', 'retrying', 'sent', 'delivered', 'read', 'failed', 'withdrawn')),
  attempts integer not null default 0,
  -- The channel of the last attempt, and what its provider calls the message.
  channel text,
  provider_id text,
  -- Why the last attempt failed, as a word: 'timeout', 'http_503', 'twilio_21211'
  reason text,
  -- What the text is made of, and the text as it was sent, sealed. Codes are gone once it was sent.
  parts bytea,
  text bytea,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  sent_at timestamptz,
  primary key (customer_id, id)
);
create unique index messages_one_a_day on messages (customer_id, template, day) where day is not null;
create index messages_by_creation on messages (customer_id, created_at desc, id desc);
create index messages_failed on messages (updated_at desc) where status = 'failed';
create index messages_waiting on messages (updated_at) where status in ('queued', 'retrying');
create index messages_by_age on messages (updated_at);

insert into messages (customer_id, id, template, status, attempts, reason, created_at, updated_at)
select customer_id, id, case purpose when 'phone_change' then 'phone_changed' else purpose end, status, attempts, reason,
       created_at, updated_at
from messages_before;


-- What a message is about: nothing is said twice. A reminder has a row for each installment and step.
create table message_subjects (
  customer_id text not null,
  template text not null,
  about text not null,
  step smallint not null,
  message_id text not null,
  told_on date not null,
  primary key (customer_id, template, about, step),
  foreign key (customer_id, message_id) references messages on delete cascade
);
create index message_subjects_of_message on message_subjects (customer_id, message_id);
create index message_subjects_by_day on message_subjects (told_on) where template = 'reminder';

-- The same for a phone whose owner is not asked for when it is written: strangers, members of merchants.
create table phone_messages (
  id text primary key,
  -- Keyed hash
  phone_hash bytea not null,
  template text not null,
  status text not null
    check (status in ('queued', 'retrying', 'sent', 'delivered', 'read', 'failed', 'withdrawn')),
  attempts integer not null default 0,
  channel text,
  provider_id text,
  reason text,
  -- The phone and what the text is made of, sealed; null once it was sent or given up.
  parts bytea,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index phone_messages_by_phone on phone_messages (phone_hash);
create index phone_messages_waiting on phone_messages (updated_at) where status in ('queued', 'retrying');
create index phone_messages_by_age on phone_messages (updated_at);

-- How a customer wants to be told.
create table message_preferences (
  customer_id text primary key,
  channels text[] not null,
  reminders_before_due boolean not null,
  news boolean not null,
  updated_at timestamptz not null
);

-- Failures of each channel in a row, on all nodes together.
create table channel_health (
  channel text primary key,
  failures integer not null,
  last_failed_at timestamptz not null
);

-- Addresses that a provider refuses for good, by keyed hash.
create table refused_addresses (
  address_hash bytea not null,
  channel text not null,
  reason text not null,
  refused_at timestamptz not null,
  primary key (address_hash, channel)
);

-- Whose message a provider's id is. Status callbacks name nothing else.
create table provider_messages (
  provider_id text primary key,
  -- null: of phone_messages
  customer_id text,
  message_id text not null,
  created_at timestamptz not null
);
create index provider_messages_by_age on provider_messages (created_at);

-- What providers reported, as evidence. A repeated report is one row.
create table delivery_reports (
  provider_id text not null references provider_messages on delete cascade,
  status text not null,
  reason text,
  reported_at timestamptz not null,
  primary key (provider_id, status)
);

-- Browsers that take Web Push.
create table push_subscriptions (
  customer_id text not null references customers,
  id text not null,
  -- Address and keys, sealed
  subscription bytea not null,
  created_at timestamptz not null,
  primary key (customer_id, id)
);

-- Secret addresses of calendars, by keyed hash.
create table calendar_feeds (
  secret_hash bytea primary key,
  customer_id text not null,
  created_at timestamptz not null
);
create index calendar_feeds_of_customer on calendar_feeds (customer_id);

-- What is done once a day, and was.
create table message_runs (
  name text not null,
  day date not null,
  finished_at timestamptz not null,
  primary key (name, day)
);
