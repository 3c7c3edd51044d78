// Written by 'npm run generate' from the migrations.
import { column } from '#platform/database/columns.ts';

export const api_keys = {
  id: column.text(),
  partner_id: column.text(),
  label: column.text(),
  hash: column.bytea(),
  hint: column.text(),
  scopes: column.textArray(),
  allowed_origins: column.textArray(),
  return_origins: column.textArray(),
  requests_per_minute: column.integer().nullable(),
  backend: column.boolean(),
  merchant_id: column.bigint().nullable(),
  person_id: column.text().nullable(),
  role: column.text<'viewer' | 'content' | 'support' | 'risk' | 'finance' | 'admin'>().nullable(),
  created_at: column.timestamptz(),
  expires_at: column.timestamptz().nullable(),
  revoked_at: column.timestamptz().nullable(),
  last_used_at: column.timestamptz().nullable(),
  replaces: column.text().nullable(),
};

export const partners = {
  id: column.text(),
  name: column.text(),
  created_at: column.timestamptz(),
};

export const rate_windows = {
  key_id: column.text(),
  window_start: column.timestamptz(),
  used: column.bigint(),
};
