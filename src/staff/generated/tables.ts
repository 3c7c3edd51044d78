// Written by 'npm run generate' from the migrations.
import { column } from '#platform/database/columns.ts';

export const approvals = {
  id: column.text(),
  kind: column.text(),
  amount_cents: column.bigint().nullable(),
  subject: column.text(),
  reason: column.text().nullable(),
  status: column.text<'waiting' | 'approved' | 'refused' | 'failed' | 'expired'>(),
  asked_by: column.text(),
  asked_at: column.timestamptz(),
  decided_by: column.text().nullable(),
  decided_at: column.timestamptz().nullable(),
  done_at: column.timestamptz().nullable(),
  outcome: column.text().nullable(),
  request_sealed: column.bytea().nullable(),
  request_hash: column.bytea(),
  subject_kind: column.text().nullable(),
  details_sealed: column.bytea().nullable(),
};

export const staff_act_totals = {
  staff_user_id: column.text(),
  kind: column.text(),
  day: column.date(),
  amount_cents: column.bigint(),
};

export const staff_members = {
  id: column.text(),
  name: column.text(),
  role: column.text<'viewer' | 'content' | 'support' | 'risk' | 'finance' | 'admin'>(),
  created_at: column.timestamptz(),
  removed_at: column.timestamptz().nullable(),
  email: column.text().nullable(),
  password_hash: column.text().nullable(),
  totp_nonce: column.text().nullable(),
  totp_step: column.bigint().nullable(),
  recovery_hashes: column.ofType('bytea[]'),
  invite_hash: column.bytea().nullable(),
  invite_expires_at: column.timestamptz().nullable(),
  invited_by: column.text().nullable(),
  invited_at: column.timestamptz().nullable(),
};

export const staff_passkeys = {
  id: column.text(),
  member_id: column.text(),
  name: column.text(),
  public_key: column.bytea(),
  counter: column.bigint(),
  created_at: column.timestamptz(),
  last_used_at: column.timestamptz().nullable(),
};

export const staff_sessions = {
  id: column.text(),
  member_id: column.text(),
  token_hash: column.bytea(),
  created_at: column.timestamptz(),
  seen_at: column.timestamptz(),
  verified_at: column.timestamptz().nullable(),
  challenge: column.text().nullable(),
  totp_nonce: column.text().nullable(),
  address: column.text(),
  agent: column.text(),
  ended_at: column.timestamptz().nullable(),
};
