import type { Static } from 'typebox';
import type { Queryable } from '#platform/database/db.ts';
import { type Page, toPageRange, toPagination } from '#platform/http/pagination.ts';
import { project } from '#platform/http/project.ts';
import { AccountLine, Payout, PayoutLine, type PayoutWithLines, type StaffPayoutItem } from './schemas.ts';
import { type LineRow, listPayoutLines, type PayoutRow, type StatementRow } from './store.ts';

type PayoutView = Static<typeof Payout>;

export function renderPayout(row: PayoutRow): PayoutView {
  const closedAt = row.closed_at?.toISOString() ?? null;
  return {
    ...project(Payout, row),
    merchant: row.merchant_slug,
    paid_at: row.status === 'paid' ? closedAt : null,
    failed_at: row.status === 'failed' ? closedAt : null,
  };
}

/**
 * Returns the number of a payout at banks, which accept 20 characters, often only upper case. The last 20 characters of the id have at
 * least 80 random bits.
 */
const toBankNumber = (id: string): string => id.slice(-20).toUpperCase();

export const renderPayoutItem = (row: PayoutRow): Static<typeof StaffPayoutItem> => ({
  ...renderPayout(row),
  merchant_name: row.merchant_name,
  pix_key: row.pix_key,
  holder_name: row.holder_name,
  tax_id: row.tax_id,
  bank_number: toBankNumber(row.id),
});

const renderPayoutLine = (row: LineRow): Static<typeof PayoutLine> => ({
  ...project(PayoutLine, row),
  of_payout: row.of_payout_id,
});

export const renderAccountLine = (row: StatementRow): Static<typeof AccountLine> => ({
  ...project(AccountLine, row),
  of_payout: row.of_payout_id,
  settled_by: row.payout_id,
});

/** Renders a payout with a page of the lines that it settled. */
export async function renderPayoutWithLines(
  db: Queryable,
  payout: PayoutRow,
  page: Page,
): Promise<Static<typeof PayoutWithLines>> {
  const { total, lines } = await listPayoutLines(db, payout.id, toPageRange(page));
  const pagination = toPagination(page, total);
  return { ...renderPayout(payout), lines: lines.map(renderPayoutLine), pagination };
}
