// Written by 'npm run generate' from the migrations.
import { column } from '#platform/database/columns.ts';

export const bureau_reports = {
  customer_id: column.text(),
  asked_at: column.timestamptz(),
  consent: column.text(),
  score: column.smallint(),
  cpf_irregular: column.boolean(),
};

export const credit_decisions = {
  customer_id: column.text(),
  id: column.text(),
  moment: column.text<'signup' | 'accept' | 'growth' | 'late' | 'review'>(),
  outcome: column.text<'approved' | 'review' | 'declined'>(),
  limit_cents: column.bigint(),
  decided: column.text<'approved' | 'review' | 'declined'>(),
  decided_limit_cents: column.bigint(),
  reasons: column.textArray(),
  policy_version: column.integer(),
  facts: column.jsonb(),
  offer_id: column.text().nullable(),
  merchant_id: column.bigint().nullable(),
  shadow_version: column.integer().nullable(),
  shadow_outcome: column.text<'approved' | 'review' | 'declined'>().nullable(),
  shadow_limit_cents: column.bigint().nullable(),
  decided_at: column.timestamptz(),
  answered_by: column.text().nullable(),
  answered_at: column.timestamptz().nullable(),
  answer_reason: column.text().nullable(),
};

export const credit_policies = {
  version: column.integer(),
  role: column.text<'force' | 'shadow'>(),
  policy: column.jsonb().nullable(),
  set_by: column.text(),
  set_at: column.timestamptz(),
};

export const credit_standings = {
  customer_id: column.text(),
  limit_cents: column.bigint(),
  offered_cents: column.bigint().nullable(),
  lowered_from_cents: column.bigint().nullable(),
};

export const merchant_losses = {
  merchant_id: column.bigint(),
  sold_cents: column.bigint(),
  lost_cents: column.bigint(),
};
