// Written by 'npm run generate' from the migrations.
import { column } from '#platform/database/columns.ts';

export const member_sessions = {
  member_id: column.text(),
  id: column.text(),
  partner_id: column.text(),
  created_at: column.timestamptz(),
  refresh_hash: column.bytea(),
  refresh_expires_at: column.timestamptz(),
  ended_at: column.timestamptz().nullable(),
  ended_reason: column.text<'logout' | 'refresh_reused' | 'switched' | 'removed'>().nullable(),
  address: column.bytea().nullable(),
};

export const members = {
  id: column.text(),
  merchant_id: column.bigint(),
  person_sealed: column.bytea(),
  phone_hash: column.bytea(),
  role: column.text<'owner' | 'clerk'>(),
  max_amount_cents: column.bigint().nullable(),
  may_return: column.boolean(),
  created_at: column.timestamptz(),
  removed_at: column.timestamptz().nullable(),
};
