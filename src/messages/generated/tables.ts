// Written by 'npm run generate' from the migrations.
import { column } from '#platform/database/columns.ts';

export const agreements = {
  kind: column.text<'terms' | 'privacy'>(),
  version: column.text(),
  sections: column.jsonb(),
  published_by: column.text(),
  published_at: column.timestamptz(),
};

export const calendar_feeds = {
  secret_hash: column.bytea(),
  customer_id: column.text(),
  created_at: column.timestamptz(),
};

export const channel_health = {
  channel: column.text(),
  failures: column.integer(),
  last_failed_at: column.timestamptz(),
};

export const delivery_reports = {
  provider_id: column.text(),
  status: column.text(),
  reason: column.text().nullable(),
  reported_at: column.timestamptz(),
};

export const message_preferences = {
  customer_id: column.text(),
  channels: column.textArray(),
  reminders_before_due: column.boolean(),
  news: column.boolean(),
  updated_at: column.timestamptz(),
};

export const message_runs = {
  name: column.text(),
  day: column.date(),
  finished_at: column.timestamptz(),
};

export const message_subjects = {
  customer_id: column.text(),
  template: column.text(),
  about: column.text(),
  step: column.smallint(),
  message_id: column.text(),
  told_on: column.date(),
  installment_id: column.text().nullable(),
};

export const messages = {
  customer_id: column.text(),
  id: column.text(),
  template: column.text(),
  step: column.smallint().nullable(),
  day: column.date().nullable(),
  status: column.text<'queued' | 'retrying' | 'sent' | 'delivered' | 'read' | 'failed' | 'withdrawn'>(),
  attempts: column.integer(),
  channel: column.text().nullable(),
  provider_id: column.text().nullable(),
  reason: column.text().nullable(),
  parts: column.bytea().nullable(),
  text: column.bytea().nullable(),
  created_at: column.timestamptz(),
  updated_at: column.timestamptz(),
  sent_at: column.timestamptz().nullable(),
  not_before: column.timestamptz().nullable(),
  checkouts: column.textArray(),
};

export const phone_messages = {
  id: column.text(),
  phone_hash: column.bytea(),
  template: column.text(),
  status: column.text<'queued' | 'retrying' | 'sent' | 'delivered' | 'read' | 'failed' | 'withdrawn'>(),
  attempts: column.integer(),
  channel: column.text().nullable(),
  provider_id: column.text().nullable(),
  reason: column.text().nullable(),
  parts: column.bytea().nullable(),
  created_at: column.timestamptz(),
  updated_at: column.timestamptz(),
};

export const provider_messages = {
  provider_id: column.text(),
  customer_id: column.text().nullable(),
  message_id: column.text(),
  created_at: column.timestamptz(),
};

export const push_subscriptions = {
  customer_id: column.text(),
  id: column.text(),
  subscription: column.bytea(),
  created_at: column.timestamptz(),
};

export const refused_addresses = {
  address_hash: column.bytea(),
  channel: column.text(),
  reason: column.text(),
  refused_at: column.timestamptz(),
};
