-- additive
-- An approval describes the whole act, belongs to one subject, and is executed exactly once.
alter table approvals
  -- Kind of the subject, as in the audit trail. null: requested before release 0.3.0
  add column subject_kind text,
  -- Name of the subject and changed fields: AES-256-GCM, bound to the id, with the version of the data key in front.
  add column details_sealed bytea;
create unique index approvals_pending on approvals (subject_kind, subject) where status = 'waiting';

-- The second person of an approved act; the actor is the requester.
alter table audit_trail add column approved_by text;
