import type { Static } from 'typebox';
import { allocatePurchase, type PurchaseAllocation } from '#core/finance/purchase.ts';
import { findFirstPart, isTooOldToRefund } from '#core/finance/receipts.ts';
import { type Share, sumParts } from '#core/finance/shares.ts';
import { type Cents, cents, centsToReais, sum, toReais, ZERO } from '#core/values/money.ts';
import { addCustomerNames } from '#customers';
import { pluck, type Queryable } from '#platform/database/db.ts';
import { project } from '#platform/http/project.ts';
import { createRowAuditEntity } from '#platform/privacy/audit-trail.ts';
import { planOffer } from '../offers/offer.ts';
import { renderItems } from '../offers/render-offer.ts';
import { type StaffOffer, StaffOfferItem } from '../offers/schemas.ts';
import { computeStatus } from '../offers/states.ts';
import { lockOffer, type OfferRow } from '../offers/store.ts';
import { type Merchants, parseInstallments, withCurrentMerchants } from '../purchases/checkout-record.ts';
import { renderQuote } from '../purchases/plan-purchase.ts';
import type { SaleListRow, UnsettledCheckoutRow } from '../purchases/reading-store.ts';
import { toPurchaseFacts } from '../purchases/reallocate.ts';
import { computeDebtNow } from '../purchases/receipt.ts';
import { type RenderContext, renderCheckoutItem } from '../purchases/render-checkout.ts';
import { listReturns, type PurchaseRow, type ReceiptRow } from '../purchases/store.ts';
import { toTerms } from '../purchases/terms.ts';
import { listAuthorNames } from '../returns/render-return.ts';
import { listWaitingAndRefused } from '../returns/waiting-store.ts';
import type { OperatorCheckoutItem } from '../schemas.ts';
import { CheckoutReturn } from './schemas.ts';
import type { StaffCheckoutRow } from './staff-store.ts';

export async function renderStaffCheckoutItems(
  db: Queryable,
  rows: readonly StaffCheckoutRow[],
  merchants: Merchants,
  context: RenderContext,
): Promise<Array<Static<typeof OperatorCheckoutItem>>> {
  const rowsWithMerchants = await withCurrentMerchants<SaleListRow>(rows, merchants);
  const items = rowsWithMerchants.map((row, i) => ({
    ...renderCheckoutItem(row, context),
    customer_id: row.customer_id,
    offer_id: row.offer_id,
    written_off_at: rows[i]!.written_off_at?.toISOString() ?? null,
  }));
  return addCustomerNames(db, items);
}

export const renderStaffOfferItem = (offer: OfferRow, now: Date): Static<typeof StaffOfferItem> => ({
  ...project(StaffOfferItem, offer),
  status: computeStatus(offer, now),
  merchant: { slug: offer.merchant_slug, name: offer.merchant_name },
});

export const renderStaffOffer = (offer: OfferRow, now: Date): Static<typeof StaffOffer> => ({
  ...renderStaffOfferItem(offer, now),
  items: renderItems(offer),
  quote: renderQuote(planOffer(offer, now)),
});

/** Describes the offer to the audit trail. Reading the offer locks it. */
export const createOfferAuditEntity = (now: Date) =>
  createRowAuditEntity('offer', lockOffer, (offer) => renderStaffOfferItem(offer, now));

/** Renders the debt of these purchases, the longest overdue installment first. */
export function renderDebts(purchases: readonly UnsettledCheckoutRow[], now: Date) {
  const debts = purchases.flatMap((purchase) =>
    parseInstallments(purchase.installments ?? [], purchase.receipts, toTerms(purchase)).map(
      ({ id, number, debtFacts }) => ({ purchase, id, number, ...computeDebtNow(debtFacts, now.getTime()) }),
    ),
  );
  const owedDebts = debts
    .filter(({ totalDue }) => totalDue > 0)
    .sort((a, b) => a.dueOn.localeCompare(b.dueOn) || a.number - b.number);
  return {
    at: now.toISOString(),
    outstanding: toReais(sum(owedDebts.map(({ outstanding }) => outstanding))),
    penalties: toReais(sum(owedDebts.map(({ fine, interest }) => cents(fine + interest)))),
    total_due: toReais(sum(owedDebts.map(({ totalDue }) => totalDue))),
    installments: owedDebts.map(({ purchase, id, number, ...debt }) => ({
      id,
      checkout_hash: purchase.hash,
      merchant: { slug: purchase.merchant_slug, name: purchase.merchant_name },
      written_off: purchase.written_off_at !== null,
      number,
      due_on: debt.dueOn,
      status: debt.status,
      outstanding: toReais(debt.outstanding),
      fine: toReais(debt.fine),
      interest: toReais(debt.interest),
      days_late: debt.daysLate,
      total_due: toReais(debt.totalDue),
    })),
  };
}

type ReceiptPart = PurchaseAllocation['receipts'][number];

/** Renders how the money of each payment of a purchase is used now, the earliest payment first. */
export function renderReceipts(purchase: PurchaseRow) {
  const { receipts } = allocatePurchase(toPurchaseFacts(purchase));
  const partsByPayment = Map.groupBy(receipts, ({ facts }) => facts.reference);
  return [...partsByPayment.values()].map((parts) => renderReceipt(parts, purchase));
}

/** Renders a payment from its parts. The first part has the amount that arrived. The remainder, which was charged back or moved, is `gone`. */
function renderReceipt(parts: readonly ReceiptPart[], { installments }: PurchaseRow) {
  const payment = findFirstPart(parts.map(({ facts }) => facts));
  const activeParts = parts.filter(({ facts }) => facts.reversedAt === null);
  const shares = activeParts.flatMap((part) => part.shares);
  const refundedAmount = sum(parts.map(({ facts }) => facts.refunded));
  const creditedAmount = sum(parts.map(({ facts }) => facts.credited));
  const isCashback = payment.source === 'cashback';
  const excessAmount = sum(activeParts.map((part) => part.excess));
  const appliedAmount = sum(shares.map((share) => cents(sumParts(share))));
  return {
    source: payment.source,
    end_to_end_id: payment.source === 'pix' ? payment.reference : null,
    received_at: new Date(payment.receivedAt).toISOString(),
    amount: toReais(payment.amount),
    applied: [...Map.groupBy(shares, ({ installmentIndex }) => installmentIndex)]
      .sort(([a], [b]) => a - b)
      .map(([index, installmentShares]) => renderShares(installments[index]!.number, installmentShares)),
    refunded: toReais(isCashback ? ZERO : refundedAmount),
    cashback: toReais(isCashback ? cents(refundedAmount + creditedAmount) : creditedAmount),
    excess: toReais(excessAmount),
    gone: centsToReais(payment.amount - appliedAmount - refundedAmount - creditedAmount - excessAmount),
  };
}

function renderShares(number: number, shares: readonly Share[]) {
  const sumField = (field: Exclude<keyof Share, 'installmentIndex'>) =>
    toReais(sum(shares.map((share) => share[field])));
  return {
    number,
    interest: sumField('interest'),
    fine: sumField('fine'),
    extension_fee: sumField('fee'),
    principal: sumField('principal'),
    discount: sumField('discount'),
  };
}

/** Renders the completed returns of a purchase, with their refunds, and its pending and refused returns. */
export async function renderReturns(db: Queryable, customerId: string, purchase: PurchaseRow) {
  const [completedRows, waitingAndRefusedRows] = await Promise.all([
    listReturns(db, customerId, purchase.hash),
    listWaitingAndRefused(db, customerId, purchase.hash),
  ]);
  const completedReturns = completedRows.map((row) => ({
    ...project(CheckoutReturn, row),
    status: 'made' as const,
    asked_at: row.returned_at.toISOString(),
    by: row.returned_by,
    ...renderWithdrawals(purchase.receipts ?? [], { returnId: row.id, returnedAt: row.returned_at }),
    refusal: null,
  }));
  const waitingAndRefusedReturns = waitingAndRefusedRows.map((row) => ({
    ...project(CheckoutReturn, row),
    by: row.asked_by,
    refunds: [],
    cashback: 0,
  }));
  const returns = [...completedReturns, ...waitingAndRefusedReturns].sort((a, b) =>
    a.asked_at.localeCompare(b.asked_at),
  );
  const authorNames = await listAuthorNames(db, pluck(returns, 'by'));
  return returns.map((view) => ({ ...view, by_name: authorNames.get(view.by) ?? null }));
}

/**
 * Renders the money withdrawn at a return: refunded by Pix, or as cashback if it was cashback or the payment was too old. `left_at` of a
 * receipt has the withdrawn amounts by return.
 */
function renderWithdrawals(
  receipts: readonly ReceiptRow[],
  { returnId, returnedAt }: { returnId: string; returnedAt: Date },
) {
  const partsByPayment = Map.groupBy(receipts, ({ reference }) => reference);
  const withdrawals = [...partsByPayment.values()].map((parts) => {
    const firstPart = findFirstPart(parts);
    const isPixRefund =
      firstPart.source === 'pix' && !isTooOldToRefund(firstPart.received_at_ms, returnedAt.getTime());
    const amount: Cents = sum(parts.map(({ left_at }) => cents(left_at[returnId] ?? 0)));
    return { reference: firstPart.reference, isPixRefund, amount };
  });
  return {
    refunds: withdrawals
      .filter(({ isPixRefund, amount }) => isPixRefund && amount > 0)
      .map(({ reference, amount }) => ({ end_to_end_id: reference, amount: toReais(amount) })),
    cashback: toReais(sum(withdrawals.filter(({ isPixRefund }) => !isPixRefund).map(({ amount }) => amount))),
  };
}
