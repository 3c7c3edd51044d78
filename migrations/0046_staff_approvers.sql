-- additive
-- Who invited or reset a staff user last: a new approver must not depend on the requester.
alter table staff_members
  add column invited_by text,
  add column invited_at timestamptz;

-- The amounts of a staff user's acts of one kind on one day that required no approval. Deleted after two days.
create table staff_act_totals (
  staff_user_id text not null,
  kind text not null,
  day date not null,
  amount_cents bigint not null,
  primary key (staff_user_id, kind, day)
);
