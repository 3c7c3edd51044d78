import { allocatePurchase, type PurchaseAllocation } from '#core/finance/purchase.ts';
import { isTooOldToRefund } from '#core/finance/receipts.ts';
import { type Share, sumParts } from '#core/finance/shares.ts';
import { type Cents, cents, centsToReais, sum, toReais, ZERO } from '#core/values/money.ts';
import type { Queryable } from '#platform/database/db.ts';
import { pluck } from '#platform/database/pluck.ts';
import { toPurchaseFacts } from '../purchases/reallocate.ts';
import { listReturns, type PurchaseRow, type ReceiptRow } from '../purchases/store.ts';
import { listAuthorNames } from '../returns/authors.ts';
import { listWaitingAndRefused } from '../returns/waiting-store.ts';

type Part = PurchaseAllocation['receipts'][number];

/** Renders how the money of each payment of a purchase is used now, the earliest payment first. */
export function renderReceipts(row: PurchaseRow) {
  const { receipts } = allocatePurchase(toPurchaseFacts(row));
  const payments = Map.groupBy(receipts, ({ facts }) => facts.reference);
  return [...payments.values()].map((parts) => renderReceipt(parts, row));
}

/**
 * `parts` are all parts of one payment. The first has the amount that arrived; money that is in no part any more was withdrawn.
 */
function renderReceipt(parts: readonly Part[], { installments }: PurchaseRow) {
  const first = parts.reduce((lowest, part) => (part.facts.part < lowest.facts.part ? part : lowest)).facts;
  const activeParts = parts.filter(({ facts }) => facts.reversedAt === null);
  const shares = activeParts.flatMap((part) => part.shares);
  const held = sum(parts.map(({ facts }) => facts.refunded));
  const credited = sum(parts.map(({ facts }) => facts.credited));
  const isCashback = first.source === 'cashback';
  const excess = sum(activeParts.map((part) => part.excess));
  const applied = sum(shares.map((share) => cents(sumParts(share))));
  return {
    source: first.source,
    end_to_end_id: first.source === 'pix' ? first.reference : null,
    received_at: new Date(first.receivedAt).toISOString(),
    amount: toReais(first.amount),
    applied: [...Map.groupBy(shares, ({ installment }) => installment)]
      .sort(([a], [b]) => a - b)
      .map(([k, ownShares]) => renderShares(installments[k]!.number, ownShares)),
    refunded: toReais(isCashback ? ZERO : held),
    cashback: toReais(isCashback ? cents(held + credited) : credited),
    excess: toReais(excess),
    gone: centsToReais(first.amount - applied - held - credited - excess),
  };
}

function renderShares(number: number, shares: readonly Share[]) {
  const total = (part: Exclude<keyof Share, 'installment'>) =>
    toReais(sum(shares.map((share) => share[part])));
  return {
    number,
    interest: total('interest'),
    fine: total('fine'),
    extension_fee: total('fee'),
    principal: total('principal'),
    discount: total('discount'),
  };
}

/** Renders the returns of a purchase: completed ones with their refunds, and waiting and refused ones. */
export async function renderReturns(db: Queryable, customerId: string, purchase: PurchaseRow) {
  const [completedRows, waitingAndRefusedRows] = await Promise.all([
    listReturns(db, customerId, purchase.hash),
    listWaitingAndRefused(db, customerId, purchase.hash),
  ]);
  const completed = completedRows.map((row) => ({
    id: row.id,
    status: 'made' as const,
    amount: centsToReais(row.amount_cents),
    reason: row.reason,
    asked_at: row.returned_at.toISOString(),
    by: row.returned_by,
    ...renderWithdrawals(purchase.receipts ?? [], { returnId: row.id, returnedAt: row.returned_at }),
    refusal: null,
  }));
  const waitingAndRefused = waitingAndRefusedRows.map((row) => ({
    id: row.id,
    status: row.status,
    amount: centsToReais(row.amount_cents),
    reason: row.reason,
    asked_at: row.asked_at.toISOString(),
    by: row.asked_by,
    refunds: [],
    cashback: 0,
    refusal: row.refusal,
  }));
  const returns = [...completed, ...waitingAndRefused].sort((a, b) => (a.asked_at < b.asked_at ? -1 : 1));
  const names = await listAuthorNames(db, pluck(returns, 'by'));
  return returns.map((rendered) => ({ ...rendered, by_name: names.get(rendered.by) ?? null }));
}

/** Renders the money withdrawn at a return. It is refunded by Pix, unless it was cashback or the payment was too old. */
function renderWithdrawals(
  receipts: readonly ReceiptRow[],
  { returnId, returnedAt }: { returnId: string; returnedAt: Date },
) {
  const payments = [...Map.groupBy(receipts, ({ reference }) => reference).values()];
  const withdrawals = payments.map((parts) => {
    const first = parts.reduce((lowest, part) => (part.part < lowest.part ? part : lowest));
    const isByPix = first.source === 'pix' && !isTooOldToRefund(first.received_at_ms, returnedAt.getTime());
    const amount: Cents = sum(parts.map(({ left_at }) => cents(left_at[returnId] ?? 0)));
    return { reference: first.reference, isByPix, amount };
  });
  return {
    refunds: withdrawals
      .filter(({ isByPix, amount }) => isByPix && amount > 0)
      .map(({ reference, amount }) => ({ end_to_end_id: reference, amount: toReais(amount) })),
    cashback: toReais(sum(withdrawals.filter(({ isByPix }) => !isByPix).map(({ amount }) => amount))),
  };
}
