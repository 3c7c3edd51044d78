import type { Static } from 'typebox';
import { cents, toReais } from '#core/money.ts';
import type { AccountLine, Payout, PayoutLine, StaffPayoutItem } from './schemas.ts';
import type { LineRow, ListedPayout, PayoutRow, StatementRow } from './store.ts';

export type RenderedPayout = Static<typeof Payout>;

const reais = (amountCents: number) => toReais(cents(amountCents));

export function renderPayout(row: PayoutRow): RenderedPayout {
  const closedAt = row.closed_at?.toISOString() ?? null;
  return {
    id: row.id,
    merchant: row.merchant_slug,
    amount: reais(row.amount_cents),
    status: row.status,
    due_on: row.due_on,
    created_at: row.created_at.toISOString(),
    paid_at: row.status === 'paid' ? closedAt : null,
    reference: row.reference,
    failed_at: row.status === 'failed' ? closedAt : null,
    reason: row.reason,
  };
}

export const renderPayoutItem = (row: ListedPayout): Static<typeof StaffPayoutItem> => ({
  ...renderPayout(row),
  merchant_name: row.merchant_name,
  pix_key: row.pix_key,
  holder_name: row.holder_name,
  tax_id: row.tax_id,
});

export function renderLine(row: LineRow): Static<typeof PayoutLine> {
  return {
    id: row.id,
    kind: row.kind,
    amount: reais(row.amount_cents),
    checkout_hash: row.checkout_hash,
    of_payout: row.of_payout_id,
    due_on: row.due_on,
    occurred_at: row.occurred_at.toISOString(),
  };
}

export function renderAccountLine(row: StatementRow): Static<typeof AccountLine> {
  return { ...renderLine(row), settled_by: row.payout_id, balance_after: reais(row.balance_after_cents) };
}
