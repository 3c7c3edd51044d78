// Written by 'npm run generate' from the migrations.
import { column } from '#platform/database/columns.ts';

export const categories = {
  slug: column.text(),
  name: column.text(),
};

export const faq_entries = {
  id: column.text(),
  topic: column.text(),
  question: column.text(),
  answer: column.text(),
  position: column.integer(),
  listed: column.boolean(),
};

export const lead_fingerprints = {
  fingerprint: column.bytea(),
  lead_id: column.text(),
  received_at: column.timestamptz(),
};

export const leads = {
  id: column.text(),
  partner_id: column.text(),
  kind: column.text(),
  content_sealed: column.bytea(),
  phone_hash: column.bytea().nullable(),
  email_hash: column.bytea().nullable(),
  tokens: column.ofType('bigint[]'),
  status: column.text<'new' | 'handled'>(),
  received_at: column.timestamptz(),
};

export const media = {
  name: column.text(),
  type: column.text(),
  bytes: column.bytea(),
  size: column.integer(),
  width: column.integer().nullable(),
  height: column.integer().nullable(),
  uploaded_at: column.timestamptz(),
};

export const merchants = {
  id: column.bigint(),
  slug: column.text(),
  name: column.text(),
  name_key: column.text(),
  category_slug: column.text(),
  description: column.text().nullable(),
  logo_url: column.text().nullable(),
  city: column.text().nullable(),
  state: column.text().nullable(),
  website: column.text().nullable(),
  cashback_percent: column.numeric(),
  weekly_rate_percent: column.numeric(),
  max_installments: column.smallint(),
  min_amount_cents: column.bigint(),
  max_amount_cents: column.bigint(),
  merchant_fee_percent: column.numeric(),
  payout_days: column.smallint(),
  listed: column.boolean(),
  revision: column.bigint(),
};

export const posts = {
  slug: column.text(),
  title: column.text(),
  summary: column.text(),
  cover_url: column.text().nullable(),
  author: column.text(),
  tags: column.textArray(),
  published_at: column.timestamptz().nullable(),
  body: column.text(),
  body_html: column.text(),
};
