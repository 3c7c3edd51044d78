-- People of the operator's. Their keys are in api_keys.
create table staff_members (
  id text primary key,
  name text not null check (length(name) between 1 and 120),
  role text not null check (role in ('viewer', 'content', 'support', 'finance', 'admin')),
  created_at timestamptz not null,
  -- null: they work here
  removed_at timestamptz
);
