// Written by 'npm run generate' from the migrations.
import { column } from '#platform/database/columns.ts';

export const cashback_lots = {
  customer_id: column.text(),
  position: column.bigint(),
  installment_id: column.text().nullable(),
  expires_on: column.date(),
  amount_cents: column.bigint(),
  remaining_cents: column.bigint(),
  expired_cents: column.bigint(),
  reversed_at: column.timestamptz().nullable(),
};

export const cashback_movements = {
  customer_id: column.text(),
  position: column.bigint(),
  id: column.text(),
  posting_id: column.bigint(),
  kind: column.text<'earned' | 'referral' | 'redeemed' | 'expired' | 'reversed' | 'adjusted'>(),
  amount_cents: column.bigint(),
  balance_after_cents: column.bigint(),
  earned_after_cents: column.bigint(),
  description: column.text(),
  checkout_hash: column.text().nullable(),
  installment_id: column.text().nullable(),
  occurred_at: column.timestamptz(),
  expires_on: column.date().nullable(),
  of_position: column.bigint().nullable(),
};

export const invitations = {
  customer_id: column.text(),
  invited_id: column.text(),
  invited_name_sealed: column.bytea(),
  invited_at: column.timestamptz(),
  referrer_reward_cents: column.bigint(),
  invited_reward_cents: column.bigint(),
  min_paid_cents: column.bigint(),
  rewarded_at: column.timestamptz().nullable(),
  reward_cents: column.bigint().nullable(),
  referrer_position: column.bigint().nullable(),
  invited_position: column.bigint().nullable(),
  merchant_id: column.bigint().nullable(),
  held_at: column.timestamptz().nullable(),
  reward_outcome: column.text<'approved' | 'refused'>().nullable(),
};

export const referrers = {
  customer_id: column.text(),
  referrer_id: column.text(),
};
