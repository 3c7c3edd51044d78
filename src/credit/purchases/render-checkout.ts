import type { Static } from 'typebox';
import { toAbsoluteUrl } from '#catalog';
import type { Cet } from '#core/finance/cet.ts';
import { type ChargeOption, listChargeOptions } from '#core/finance/charge.ts';
import { summarizeDebts } from '#core/finance/checkout.ts';
import type { Debt, InstallmentStatus } from '#core/finance/debt.ts';
import { type Terms, toWireTerms } from '#core/finance/terms.ts';
import type { Instant } from '#core/values/day.ts';
import { maskName } from '#core/values/mask-name.ts';
import { type Cents, cents, centsToReais, sum, toReais, ZERO } from '#core/values/money.ts';
import { computePercentDown, toPercent } from '#core/values/percent.ts';
import type { Queryable } from '#platform/database/db.ts';
import { omit } from '#platform/omit.ts';
import { defineService } from '#platform/service.ts';
import type { OfferMetadata, RecordCreator } from '../fields.ts';
import type { CheckoutAutopay, InstallmentAutopay } from '../schemas.ts';
import { type CheckoutRecord, type MerchantView, parseInstallments } from './checkout-record.ts';
import type { CheckoutListRow, SaleListRow } from './reading-store.ts';
import { computeDebtNow } from './receipt.ts';
import { toTerms } from './terms.ts';

export type RenderContext = { now: Instant; publicUrl: string };

export function renderCheckoutItem(row: CheckoutListRow, { now, publicUrl }: RenderContext) {
  const lateInstallments =
    row.late_installments && parseInstallments(row.late_installments, row.receipts, toTerms(row));
  const penalties = sum(
    (lateInstallments ?? []).map(({ debtFacts }) => sumPenalty(computeDebtNow(debtFacts, now))),
  );
  const unpaidStatus = row.is_overdue ? 'overdue' : 'open';
  const status: InstallmentStatus = row.is_settled ? 'paid' : unpaidStatus;
  return {
    hash: row.hash,
    status,
    merchant: renderMerchant(row, publicUrl),
    description: row.description,
    purchased_at: row.purchased_at.toISOString(),
    amounts: renderAmounts({
      financed: row.financed_cents,
      paid: row.paid_cents,
      returned: row.returned_cents,
      outstanding: row.outstanding_cents,
      penalties,
    }),
    installments_total: row.installments_total,
    installments_paid: row.installments_paid,
    next_due_on: row.next_due_on,
    returned_at: row.returned_at?.toISOString() ?? null,
  };
}

const renderMerchant = (row: MerchantView, publicUrl: string) => ({
  slug: row.merchant_slug,
  name: row.merchant_name,
  logo_url: toAbsoluteUrl(row.merchant_logo_url, publicUrl),
});

export function renderCheckout<Id extends string | null>(
  record: CheckoutRecord<Id>,
  { now, publicUrl }: RenderContext,
  autopay?: AutopayView,
) {
  const debts = record.installments.map(({ debtFacts }) => computeDebtNow(debtFacts, now));
  const summary = summarizeDebts(debts);
  return {
    hash: record.hash,
    status: summary.status,
    merchant: renderMerchant(record, publicUrl),
    description: record.description,
    purchased_at: record.purchased_at.toISOString(),
    amounts: renderAmounts({ ...summary, financed: record.financed_cents }),
    installments_total: debts.length,
    installments_paid: summary.installmentsPaid,
    next_due_on: summary.nextDueOn,
    returned_at: record.returned_at?.toISOString() ?? null,
    returns: (record.returns ?? []).map(([amountCents, reason, returnedAt]) => ({
      amount: centsToReais(amountCents),
      reason,
      returned_at: new Date(returnedAt).toISOString(),
    })),
    autopay: autopay?.checkout ?? null,
    terms: { ...renderTerms(record.terms, record.cet), contract_sha256: record.contract_sha256 },
    installments: record.installments.map(({ id, number, redeemed }, i) =>
      renderInstallment({ id, number, redeemed }, debts[i]!, record.terms, autopay),
    ),
  };
}

/** Renders a purchase with its customer and the cost of the credit, which CDC art. 52 requires before a sale. Returns have their own list. */
export function renderStaffCheckout(record: CheckoutRecord, context: RenderContext, autopay?: AutopayView) {
  const { hash, ...checkout } = omit(renderCheckout(record, context, autopay), 'returns');
  const total = sum(record.installments.map(({ debtFacts }) => debtFacts.amount));
  return {
    hash,
    customer_id: record.customer_id,
    ...checkout,
    written_off_at: record.written_off_at?.toISOString() ?? null,
    cost: {
      financed: centsToReais(record.financed_cents),
      interest: centsToReais(total - record.financed_cents),
      total: toReais(total),
    },
  };
}

export function renderTerms(terms: Terms, cet: Cet) {
  return {
    ...toWireTerms(terms),
    cet_percent_month: toPercent(cet.month),
    cet_percent_year: toPercent(cet.year),
  };
}

type InstallmentHead<Id> = { readonly id: Id; readonly number: number; readonly redeemed: Cents };

export function renderInstallment<Id>(
  { id, number, redeemed }: InstallmentHead<Id>,
  debt: Debt,
  terms: Terms,
  autopay?: AutopayView,
) {
  return {
    id,
    number,
    due_on: debt.dueOn,
    effective_due_on: debt.effectiveDueOn,
    status: debt.status,
    amount: toReais(debt.amount),
    paid: toReais(debt.paid),
    discount: toReais(debt.discount),
    returned: toReais(debt.returned),
    outstanding: toReais(debt.outstanding),
    penalty: {
      fine: toReais(debt.fine),
      interest: toReais(debt.interest),
      total: toReais(sumPenalty(debt)),
      days_late: debt.daysLate,
    },
    charges_paid: {
      fine: toReais(debt.chargesPaid.fine),
      interest: toReais(debt.chargesPaid.interest),
      extension_fee: toReais(debt.chargesPaid.extensionFee),
    },
    charges_waived: {
      fine: toReais(debt.chargesWaived.fine),
      interest: toReais(debt.chargesWaived.interest),
    },
    total_due: toReais(debt.totalDue),
    paid_at: debt.paidAt === null ? null : new Date(debt.paidAt).toISOString(),
    extensions: debt.extensions,
    cashback_if_on_time: toReais(computeCashbackIfOnTime(debt, redeemed, terms)),
    pix_options: listChargeOptions(debt, terms).map(renderChargeOption),
    autopay: autopay?.installments.get(String(id)) ?? null,
  };
}

/** Must include the same installments and amounts as `selectPendingCashback`. */
function computeCashbackIfOnTime({ status, amount, returned }: Debt, redeemed: Cents, { cashback }: Terms) {
  return status === 'open' ? computePercentDown(cents(amount - returned - redeemed), cashback) : ZERO;
}

function renderChargeOption(option: ChargeOption) {
  switch (option.type) {
    case 'settle_partial':
      return { type: option.type, min: toReais(option.min), max: toReais(option.max) };
    case 'extend':
      return { type: option.type, value: toReais(option.value), due_on: option.dueOn };
    default:
      return { type: option.type, value: toReais(option.value) };
  }
}

type AmountName = 'financed' | 'paid' | 'returned' | 'outstanding' | 'penalties';

const renderAmounts = (amounts: Record<AmountName, number>) => ({
  financed: centsToReais(amounts.financed),
  paid: centsToReais(amounts.paid),
  returned: centsToReais(amounts.returned),
  outstanding: centsToReais(amounts.outstanding),
  penalties: centsToReais(amounts.penalties),
  total_due: centsToReais(amounts.outstanding + amounts.penalties),
});

function sumPenalty({ fine, interest }: Debt): Cents {
  return cents(fine + interest);
}

export type SaleOrigin = { readonly author: RecordCreator; readonly metadata: OfferMetadata };

type SaleContext = RenderContext & SaleOrigin;

/** Renders the fields of a customer that a merchant may see. An erased customer has no name. */
const renderMaskedCustomer = (name: string | undefined) => ({ name: maskName(name ?? '') });

export const renderSaleItem = (row: SaleListRow, name: string | undefined, context: SaleContext) => ({
  ...renderCheckoutItem(row, context),
  customer: renderMaskedCustomer(name),
  offer_id: row.offer_id,
  metadata: context.metadata,
  by: context.author,
});

/** Renders a purchase for its merchant, who may not see payment options and autopay. */
export function renderSale(record: CheckoutRecord<string>, name: string | undefined, context: SaleContext) {
  const { installments, ...checkout } = omit(renderCheckout(record, context), 'autopay', 'returns');
  return {
    ...checkout,
    customer: renderMaskedCustomer(name),
    offer_id: record.offer_id,
    metadata: context.metadata,
    by: context.author,
    installments: installments.map((installment) => omit(installment, 'pix_options', 'autopay')),
  };
}

/** The autopay authorisation of a purchase, and the debits of its installments by installment id. */
export type AutopayView = {
  readonly checkout: Static<typeof CheckoutAutopay>;
  readonly installments: ReadonlyMap<string, Static<typeof InstallmentAutopay>>;
};

/** Finds the autopay of a purchase. Returns undefined if it was never requested. The pix module provides this function. */
export type FindAutopay = (
  db: Queryable,
  customerId: string,
  hash: string,
  now: Date,
) => Promise<AutopayView | undefined>;

export const autopayFinder = defineService<FindAutopay>('autopay');
