-- additive
-- Acts of the operator's people that wait, or waited, for a second person.
create table approvals (
  id text primary key,
  kind text not null,
  -- Of the money that goes out or is given up; null: whatever the amount.
  amount_cents bigint,
  -- What it is about: the id of a customer, the hash of a purchase.
  subject text not null,
  reason text,
  status text not null check (status in ('waiting', 'approved', 'refused', 'failed', 'expired')),
  asked_by text not null,
  asked_at timestamptz not null,
  decided_by text,
  decided_at timestamptz,
  -- When what was approved was done, or turned out to be impossible.
  done_at timestamptz,
  -- Why it was refused or could not be done.
  outcome text,
  -- The request as it was sent: AES-256-GCM, bound to the id, with the version of the data key in front. Gone once it is closed.
  request_sealed bytea,
  -- SHA-256 of the request: asked again, it is the same approval.
  request_hash bytea not null,
  check ((status = 'waiting') = (decided_at is null))
);
create unique index approvals_waiting on approvals (request_hash) where status = 'waiting';
create index approvals_by_subject on approvals (subject);
create index approvals_by_time on approvals (asked_at, id);
create index approvals_by_status on approvals (status, asked_at, id);
