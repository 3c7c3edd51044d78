// Written by 'npm run generate' from the migrations.
import { column } from '#platform/database/columns.ts';

export const merchant_lines = {
  merchant_id: column.bigint(),
  id: column.text(),
  position: column.bigint(),
  kind: column.text<'sale' | 'fee' | 'return' | 'return_fee' | 'payout' | 'payout_failed'>(),
  amount_cents: column.bigint(),
  due_on: column.date(),
  merchant_slug: column.text(),
  merchant_name: column.text(),
  checkout_hash: column.text().nullable(),
  of_payout_id: column.text().nullable(),
  payout_id: column.text().nullable(),
  occurred_at: column.timestamptz(),
};

export const payout_accounts = {
  merchant_id: column.bigint(),
  pix_key: column.text().nullable(),
  holder_name: column.text().nullable(),
  tax_id: column.text().nullable(),
  change: column.jsonb().nullable(),
  change_counts_at: column.timestamptz().nullable(),
};

export const payouts = {
  id: column.text(),
  merchant_id: column.bigint(),
  merchant_slug: column.text(),
  merchant_name: column.text(),
  amount_cents: column.bigint(),
  due_on: column.date(),
  created_at: column.timestamptz(),
  status: column.text<'pending' | 'paid' | 'failed'>(),
  closed_at: column.timestamptz().nullable(),
  reference: column.text().nullable(),
  reason: column.text().nullable(),
  pix_key: column.text().nullable(),
  holder_name: column.text().nullable(),
  tax_id: column.text().nullable(),
};
