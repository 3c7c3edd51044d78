// Written by 'npm run generate' from the migrations.
import { column } from '#platform/database/columns.ts';

export const merchant_events = {
  merchant_id: column.bigint(),
  position: column.bigint(),
  id: column.text(),
  type: column.text(),
  occurred_at: column.timestamptz(),
  sequence: column.integer().nullable(),
  data: column.jsonb(),
};

export const partner_events = {
  partner_id: column.text(),
  position: column.bigint(),
  id: column.text(),
  type: column.text(),
  occurred_at: column.timestamptz(),
  checkout_hash: column.text().nullable(),
  sequence: column.integer().nullable(),
  data: column.jsonb(),
  unbound: column.boolean(),
  merchant_id: column.bigint().nullable(),
};

export const partner_feeds = {
  partner_id: column.text(),
  purged_to: column.bigint(),
};

export const webhook_deliveries = {
  endpoint_id: column.text(),
  event_id: column.text(),
  partner_id: column.text(),
  position: column.bigint().nullable(),
  type: column.text(),
  occurred_at: column.timestamptz(),
  status: column.text<'pending' | 'delivered' | 'failed'>(),
  tries: column.integer(),
  waiting_since: column.timestamptz(),
  due_at: column.timestamptz(),
  settled_at: column.timestamptz().nullable(),
  attempts: column.jsonb(),
  last_exchange: column.jsonb().nullable(),
};

export const webhook_endpoints = {
  id: column.text(),
  partner_id: column.text(),
  url: column.text(),
  event_types: column.textArray(),
  merchant_id: column.bigint().nullable(),
  merchant_slug: column.text().nullable(),
  status: column.text<'enabled' | 'disabled'>(),
  disabled_reason: column.text<'operator' | 'partner' | 'gone' | 'failing'>().nullable(),
  disabled_at: column.timestamptz().nullable(),
  created_at: column.timestamptz(),
  secrets: column.bytea(),
  key_version: column.integer(),
  old_secret_until: column.timestamptz().nullable(),
  revision: column.integer(),
  failing_since: column.timestamptz().nullable(),
  failures: column.integer(),
  held_until: column.timestamptz().nullable(),
  scopes: column.textArray().nullable(),
};
