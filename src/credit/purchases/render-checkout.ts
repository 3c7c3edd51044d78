import { absoluteUrl } from '#catalog';
import type { Cet } from '#core/cet.ts';
import { type ChargeOption, chargeOptions } from '#core/charge.ts';
import { summarise } from '#core/checkout.ts';
import type { Instant } from '#core/day.ts';
import type { Debt, InstallmentStatus } from '#core/debt.ts';
import { type Cents, cents, reaisOf, sum, toReais, ZERO } from '#core/money.ts';
import { percentDown, toPercent } from '#core/percent.ts';
import { type Terms, termsOnTheWire } from '#core/terms.ts';
import type { AutopayView } from './autopay-view.ts';
import { type CheckoutRecord, readInstallments } from './checkout-record.ts';
import type { ShownMerchant } from './current-merchant.ts';
import { debtNow } from './debt-now.ts';
import type { ListedCheckout } from './reading-store.ts';
import { termsOf } from './terms-columns.ts';

/** What the reader of an answer needs besides the facts. */
export type View = { now: Instant; publicUrl: string };

/** An item of the list: stored figures, and current penalties. */
export function renderListed(row: ListedCheckout, { now, publicUrl }: View) {
  const late = row.late_installments && readInstallments(row.late_installments, row.receipts, termsOf(row));
  const penalties = sum((late ?? []).map(({ debt }) => penaltyOf(debtNow(debt, now))));
  const status: InstallmentStatus = row.settled ? 'paid' : row.overdue ? 'overdue' : 'open';
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

const renderMerchant = (row: ShownMerchant, publicUrl: string) => ({
  slug: row.merchant_slug,
  name: row.merchant_name,
  logo_url: absoluteUrl(row.merchant_logo_url, publicUrl),
});

/** A complete purchase, computed from its facts. */
export function renderCheckout<Name extends string | null>(
  file: CheckoutRecord<Name>,
  { now, publicUrl }: View,
  autopay?: AutopayView,
) {
  const debts = file.installments.map(({ debt }) => debtNow(debt, now));
  const summary = summarise(debts);
  return {
    hash: file.hash,
    status: summary.status,
    merchant: renderMerchant(file, publicUrl),
    description: file.description,
    purchased_at: file.purchased_at.toISOString(),
    amounts: renderAmounts({ ...summary, financed: file.financed_cents }),
    installments_total: debts.length,
    installments_paid: summary.installmentsPaid,
    next_due_on: summary.nextDueOn,
    returned_at: file.returned_at?.toISOString() ?? null,
    autopay: autopay?.checkout ?? null,
    terms: { ...renderTerms(file.terms, file.cet), contract_sha256: file.contract_sha256 },
    installments: file.installments.map(({ id, number, redeemed }, i) =>
      renderInstallment({ id, number, redeemed }, debts[i]!, file.terms, autopay),
    ),
  };
}

/** For the operator: the customer, and the cost of the credit (CDC art. 52 requires it before a sale). */
export function renderForOperator(file: CheckoutRecord, view: View, autopay?: AutopayView) {
  const { hash, ...checkout } = renderCheckout(file, view, autopay);
  const total = sum(file.installments.map(({ debt }) => debt.amount));
  return {
    hash,
    customer_id: file.customer_id,
    ...checkout,
    written_off_at: file.written_off_at?.toISOString() ?? null,
    cost: {
      financed: reaisOf(file.financed_cents),
      interest: reaisOf(total - file.financed_cents),
      total: toReais(total),
    },
  };
}

export function renderTerms(terms: Terms, cet: Cet) {
  return {
    ...termsOnTheWire(terms),
    cet_percent_month: toPercent(cet.month),
    cet_percent_year: toPercent(cet.year),
  };
}

type NamedInstallment<Id> = { readonly id: Id; readonly number: number; readonly redeemed: Cents };

export function renderInstallment<Id>(
  { id, number, redeemed }: NamedInstallment<Id>,
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
      total: toReais(penaltyOf(debt)),
      days_late: debt.daysLate,
    },
    charges_paid: {
      fine: toReais(debt.chargesPaid.fine),
      interest: toReais(debt.chargesPaid.interest),
      extension_fee: toReais(debt.chargesPaid.extensionFee),
    },
    total_due: toReais(debt.totalDue),
    paid_at: debt.paidAt === null ? null : new Date(debt.paidAt).toISOString(),
    extensions: debt.extensions,
    cashback_if_on_time: toReais(earnedIfOnTime(debt, redeemed, terms)),
    pix_options: chargeOptions(debt, terms).map(renderOption),
    autopay: autopay?.installments.get(String(id)) ?? null,
  };
}

/** The same installments and amounts as in `pendingCashback`. */
function earnedIfOnTime({ status, amount, returned }: Debt, redeemed: Cents, { cashback }: Terms): Cents {
  return status === 'open' ? percentDown(cents(amount - returned - redeemed), cashback) : ZERO;
}

function renderOption(option: ChargeOption) {
  switch (option.type) {
    case 'settle_partial':
      return { type: option.type, min: toReais(option.min), max: toReais(option.max) };
    case 'extend':
      return { type: option.type, value: toReais(option.value), due_on: option.dueOn };
    default:
      return { type: option.type, value: toReais(option.value) };
  }
}

type Amount = 'financed' | 'paid' | 'returned' | 'outstanding' | 'penalties';

const renderAmounts = (amounts: Record<Amount, number>) => ({
  financed: reaisOf(amounts.financed),
  paid: reaisOf(amounts.paid),
  returned: reaisOf(amounts.returned),
  outstanding: reaisOf(amounts.outstanding),
  penalties: reaisOf(amounts.penalties),
  total_due: reaisOf(amounts.outstanding + amounts.penalties),
});

function penaltyOf({ fine, interest }: Debt): Cents {
  return cents(fine + interest);
}
