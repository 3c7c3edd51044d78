// Written by 'npm run generate' from the migrations.
import { column } from '#platform/database/columns.ts';

export const pix_authorisations = {
  customer_id: column.text(),
  id: column.text(),
  checkout_hash: column.text(),
  status: column.text<'creating' | 'pending' | 'active' | 'rejected' | 'expired' | 'ended' | 'discarded'>(),
  location_id: column.bigint().nullable(),
  rec_id: column.text().nullable(),
  br_code: column.text().nullable(),
  first_charge_id: column.text().nullable(),
  starts_on: column.date(),
  ends_on: column.date(),
  least_cents: column.bigint(),
  created_at: column.timestamptz(),
  expires_at: column.timestamptz(),
  activated_at: column.timestamptz().nullable(),
  ended_at: column.timestamptz().nullable(),
  ended_by: column.text<'customer' | 'payer' | 'bank' | 'service'>().nullable(),
  reason: column.text().nullable(),
  removed_at: column.timestamptz().nullable(),
  look_on: column.date(),
  synced_at: column.timestamptz(),
};

export const pix_charges = {
  customer_id: column.text(),
  id: column.text(),
  installment_id: column.text(),
  checkout_hash: column.text(),
  type: column.text<'settle' | 'settle_partial' | 'settle_with_penalty' | 'extend'>(),
  value_cents: column.bigint(),
  priced_on: column.date(),
  txid: column.text(),
  pix_key: column.text(),
  expiration_seconds: column.integer(),
  status: column.text<'creating' | 'pending' | 'paid' | 'expired' | 'cancelled' | 'discarded'>(),
  br_code: column.text().nullable(),
  location: column.text().nullable(),
  created_at: column.timestamptz(),
  expires_at: column.timestamptz(),
  paid_at: column.timestamptz().nullable(),
  removed_at: column.timestamptz().nullable(),
  assigned_end_to_end_id: column.text().nullable(),
  authorisation_id: column.text().nullable(),
  held_until: column.timestamptz().nullable(),
};

export const pix_debits = {
  customer_id: column.text(),
  charge_id: column.text(),
  authorisation_id: column.text(),
  checkout_hash: column.text(),
  installment_id: column.text(),
  cycle: column.integer(),
  due_on: column.date(),
  attempt_on: column.date(),
  refusals: column.integer(),
  reason: column.text().nullable(),
  open: column.boolean(),
  check_at: column.timestamptz().nullable(),
};

export const pix_discrepancies = {
  customer_id: column.text(),
  charge_id: column.text(),
  kind: column.text<'paid_without_payment' | 'end_to_end_id_reused' | 'unreadable_payment'>(),
  end_to_end_id: column.text(),
  txid: column.text(),
  value_cents: column.bigint(),
  found_at: column.timestamptz(),
  recheck_at: column.timestamptz(),
  resolved_at: column.timestamptz().nullable(),
};

export const pix_end_to_end_ids = {
  end_to_end_id: column.text(),
  customer_id: column.text().nullable(),
  charge_id: column.text().nullable(),
};

export const pix_moves = {
  customer_id: column.text(),
  id: column.text(),
  side: column.text<'from' | 'to'>(),
  position: column.bigint(),
  end_to_end_id: column.text(),
  charge_id: column.text(),
  installment_id: column.text(),
  checkout_hash: column.text(),
  amount_cents: column.bigint(),
  reason: column.text(),
  moved_at: column.timestamptz(),
  moved_by: column.text(),
};

export const pix_notices = {
  id: column.text(),
  received_at: column.timestamptz(),
  sealed: column.bytea(),
  psp_ids: column.textArray().nullable(),
};

export const pix_orphans = {
  end_to_end_id: column.text(),
  txid: column.text().nullable(),
  amount_cents: column.bigint(),
  paid_at: column.timestamptz(),
  found_at: column.timestamptz(),
  status: column.text<'open' | 'asked' | 'processing' | 'returned'>(),
  refund_id: column.text().nullable(),
  asked_at: column.timestamptz().nullable(),
  returned_at: column.timestamptz().nullable(),
  reason: column.text().nullable(),
};

export const pix_payments = {
  customer_id: column.text(),
  end_to_end_id: column.text(),
  charge_id: column.text(),
  installment_id: column.text(),
  amount_cents: column.bigint(),
  paid_at: column.timestamptz(),
  recorded_at: column.timestamptz(),
  moved_at: column.timestamptz().nullable(),
};

export const pix_recurrences = {
  rec_id: column.text(),
  customer_id: column.text(),
  authorisation_id: column.text(),
};

export const pix_refunds = {
  customer_id: column.text(),
  end_to_end_id: column.text(),
  id: column.text(),
  part: column.smallint(),
  amount_cents: column.bigint(),
  forced: column.boolean(),
  status: column.text<'asked' | 'processing' | 'returned' | 'failed' | 'given_up' | 'credited' | 'overtaken'>(),
  tries: column.integer(),
  reason: column.text().nullable(),
  created_at: column.timestamptz(),
  due_at: column.timestamptz(),
  settled_at: column.timestamptz().nullable(),
  stranded_cents: column.bigint(),
};

export const pix_sweep = {
  only_row: column.boolean(),
  swept_to: column.timestamptz(),
};

export const pix_txids = {
  txid: column.text(),
  customer_id: column.text(),
  charge_id: column.text(),
};
