-- The inbox takes the messages of every channel.
alter table sandbox_messages
  alter column phone drop not null,
  add column channel text not null default 'sms',
  add column template text not null default 'login_code',
  add column step smallint,
  add column email text,
  add column link text;
alter table sandbox_messages alter column channel drop default, alter column template drop default;
create index sandbox_messages_by_email on sandbox_messages (email, id desc) where email is not null;
