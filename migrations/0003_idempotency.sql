-- Answers already given, kept for 24 hours. Written in the transaction of what they answer for.
create table idempotent_answers (
  partner_id text not null,
  -- '' where no customer is logged in
  customer_id text not null,
  key text not null,
  request_hash bytea not null,
  status integer not null,
  body text not null,
  created_at timestamptz not null,
  primary key (customer_id, partner_id, key)
);
create index idempotent_answers_by_age on idempotent_answers (created_at);
