// Written by 'npm run generate' from the migrations.
import { column } from '#platform/database/columns.ts';

export const customer_cpfs = {
  cpf_hash: column.bytea(),
  customer_id: column.text(),
};

export const customer_partners = {
  customer_id: column.text(),
  partner_id: column.text(),
  since: column.timestamptz(),
};

export const customer_phones = {
  phone_hash: column.bytea(),
  customer_id: column.text(),
};

export const customer_referral_codes = {
  code: column.text(),
  customer_id: column.text(),
};

export const customers = {
  id: column.text(),
  person_sealed: column.bytea(),
  phone_hash: column.bytea(),
  password_hash: column.text().nullable(),
  search_tokens: column.ofType('bigint[]'),
  credit_limit_cents: column.bigint(),
  referral_code: column.text(),
  locked_at: column.timestamptz().nullable(),
  erased_at: column.timestamptz().nullable(),
  created_at: column.timestamptz(),
  awaits_first_limit: column.boolean(),
};

export const ended_sessions = {
  id: column.text(),
  ended_at: column.timestamptz(),
};

export const known_addresses = {
  address: column.bytea(),
  customer_id: column.text(),
  seen_at: column.timestamptz(),
};

export const login_challenges = {
  subject: column.bytea(),
  id: column.text(),
  origin: column.bytea(),
  code_hash: column.bytea(),
  expires_at: column.timestamptz(),
  tries: column.integer(),
  used_at: column.timestamptz().nullable(),
  partner_id: column.text().nullable(),
};

export const phone_changes = {
  id: column.text(),
  customer_id: column.text(),
  phones_sealed: column.bytea(),
  status: column.text<'waiting' | 'done' | 'cancelled' | 'replaced' | 'taken'>(),
  asked_by: column.text(),
  asked_at: column.timestamptz(),
  counts_at: column.timestamptz(),
  closed_at: column.timestamptz().nullable(),
};

export const sessions = {
  customer_id: column.text(),
  id: column.text(),
  partner_id: column.text(),
  created_at: column.timestamptz(),
  refresh_hash: column.bytea(),
  refresh_expires_at: column.timestamptz(),
  ended_at: column.timestamptz().nullable(),
  ended_reason: column.text<'logout' | 'locked' | 'password_set' | 'phone_changed' | 'refresh_reused'>().nullable(),
};

export const signing_keys = {
  kid: column.text(),
  public_jwk: column.jsonb(),
  private_sealed: column.bytea(),
  private_key_version: column.integer(),
  created_at: column.timestamptz(),
  signs_from: column.timestamptz(),
  accepted_until: column.timestamptz().nullable(),
};

export const terms_acceptances = {
  customer_id: column.text(),
  accepted_at: column.timestamptz(),
  version: column.text(),
  address: column.text(),
};
