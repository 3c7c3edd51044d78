import { type Cents, cents, reaisOf, sum, toReais, ZERO } from '#core/money.ts';
import { allocatePurchase, type PurchaseAllocation } from '#core/purchase.ts';
import { isTooOldToRefund } from '#core/receipts.ts';
import { moneyOf, type Share } from '#core/shares.ts';
import type { Queryable } from '#platform/database/db.ts';
import { pluck } from '#platform/database/pluck.ts';
import { purchaseFacts } from '../purchases/reallocate.ts';
import { listReturns, type PurchaseRow, type ReceiptRow } from '../purchases/store.ts';
import { nameAuthors } from '../returns/authors.ts';
import { listNotMade } from '../returns/waiting-store.ts';

type Part = PurchaseAllocation['receipts'][number];

/** Where the money of each payment of a purchase is now, the earliest payment first. */
export function renderReceipts(row: PurchaseRow) {
  const { receipts } = allocatePurchase(purchaseFacts(row));
  const payments = Map.groupBy(receipts, ({ facts }) => facts.reference);
  return [...payments.values()].map((parts) => renderReceipt(parts, row));
}

/** `parts`: those of one payment. The first of them has all that arrived, and what is not in any part any more is gone. */
function renderReceipt(parts: readonly Part[], { installments }: PurchaseRow) {
  const first = parts.reduce((least, one) => (one.facts.part < least.facts.part ? one : least)).facts;
  const counted = parts.filter(({ facts }) => facts.reversedAt === null);
  const shares = counted.flatMap((part) => part.shares);
  const held = sum(parts.map(({ facts }) => facts.refunded));
  const credited = sum(parts.map(({ facts }) => facts.credited));
  const isCashback = first.source === 'cashback';
  const excess = sum(counted.map((part) => part.excess));
  const applied = sum(shares.map((share) => cents(moneyOf(share))));
  return {
    source: first.source,
    end_to_end_id: first.source === 'pix' ? first.reference : null,
    received_at: new Date(first.receivedAt).toISOString(),
    amount: toReais(first.amount),
    applied: [...Map.groupBy(shares, ({ installment }) => installment)]
      .sort(([a], [b]) => a - b)
      .map(([k, own]) => renderShares(installments[k]!.number, own)),
    refunded: toReais(isCashback ? ZERO : held),
    cashback: toReais(isCashback ? cents(held + credited) : credited),
    excess: toReais(excess),
    gone: reaisOf(first.amount - applied - held - credited - excess),
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

/** The returns of a purchase: those that were made, with what left the payments, and those that wait or were refused. */
export async function renderReturns(db: Queryable, customerId: string, row: PurchaseRow) {
  const [returns, notMade] = await Promise.all([
    listReturns(db, customerId, row.hash),
    listNotMade(db, customerId, row.hash),
  ]);
  const made = returns.map((one) => ({
    id: one.id,
    status: 'made' as const,
    amount: reaisOf(one.amount_cents),
    reason: one.reason,
    asked_at: one.returned_at.toISOString(),
    by: one.returned_by,
    ...leftAt(row.receipts ?? [], one.id, one.returned_at),
    refusal: null,
  }));
  const others = notMade.map((one) => ({
    id: one.id,
    status: one.status,
    amount: reaisOf(one.amount_cents),
    reason: one.reason,
    asked_at: one.asked_at.toISOString(),
    by: one.asked_by,
    refunds: [],
    cashback: 0,
    refusal: one.refusal,
  }));
  const all = [...made, ...others].sort((a, b) => (a.asked_at < b.asked_at ? -1 : 1));
  const names = await nameAuthors(db, pluck(all, 'by'));
  return all.map((one) => ({ ...one, by_name: names.get(one.by) ?? null }));
}

/** What left the payments at a return: by Pix, unless it was cashback or the payment was too old by then. */
function leftAt(receipts: readonly ReceiptRow[], id: string, at: Date) {
  const payments = [...Map.groupBy(receipts, ({ reference }) => reference).values()];
  const gone = payments.map((parts) => {
    const first = parts.reduce((least, one) => (one.part < least.part ? one : least));
    const isByPix = first.source === 'pix' && !isTooOldToRefund(first.received_at_ms, at.getTime());
    const left: Cents = sum(parts.map(({ left_at }) => cents(left_at[id] ?? 0)));
    return { reference: first.reference, isByPix, left };
  });
  return {
    refunds: gone
      .filter(({ isByPix, left }) => isByPix && left > 0)
      .map(({ reference, left }) => ({ end_to_end_id: reference, amount: toReais(left) })),
    cashback: toReais(sum(gone.filter(({ isByPix }) => !isByPix).map(({ left }) => left))),
  };
}
