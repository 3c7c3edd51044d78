import type { Static } from 'typebox';
import { shown } from '#platform/http/shown.ts';
import { AccountLine, Payout, PayoutLine, type StaffPayoutItem } from './schemas.ts';
import type { LineRow, ListedPayout, PayoutRow, StatementRow } from './store.ts';

export type RenderedPayout = Static<typeof Payout>;

export function renderPayout(row: PayoutRow): RenderedPayout {
  const closedAt = row.closed_at?.toISOString() ?? null;
  return {
    ...shown(Payout, row),
    merchant: row.merchant_slug,
    paid_at: row.status === 'paid' ? closedAt : null,
    failed_at: row.status === 'failed' ? closedAt : null,
  };
}

/** What banks call it: their forms take 20 characters, often upper case alone. The id ends in 80 random bits. */
export const bankNumberOf = (id: string): string => id.slice(-20).toUpperCase();

export const renderPayoutItem = (row: ListedPayout): Static<typeof StaffPayoutItem> => ({
  ...renderPayout(row),
  merchant_name: row.merchant_name,
  pix_key: row.pix_key,
  holder_name: row.holder_name,
  tax_id: row.tax_id,
  bank_number: bankNumberOf(row.id),
});

export const renderLine = (row: LineRow): Static<typeof PayoutLine> => ({
  ...shown(PayoutLine, row),
  of_payout: row.of_payout_id,
});

export const renderAccountLine = (row: StatementRow): Static<typeof AccountLine> => ({
  ...shown(AccountLine, row),
  of_payout: row.of_payout_id,
  settled_by: row.payout_id,
});
