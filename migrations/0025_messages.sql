-- additive
-- What the operator sees of messages, and what customers take along: see docs/messages.md.

-- A message that is put off: not in the quiet hours.
alter table messages add column not_before timestamptz;
-- The list at the staff door, and a message by its id.
create index messages_newest_first on messages (created_at desc, id desc);
create index messages_by_id on messages (id);
-- Of a reminder: what it was about, to say how many were paid then.
alter table message_subjects add column installment_id text;
update message_subjects set installment_id = split_part(about, ' ', 1) where template = 'reminder';

-- Versions of what customers agree to. The text that the service comes with is in force until one is published.
create table agreements (
  kind text not null check (kind in ('terms', 'privacy')),
  version text not null,
  -- [{"title", "text"}]
  sections jsonb not null,
  published_by text not null,
  published_at timestamptz not null,
  primary key (kind, version)
);
