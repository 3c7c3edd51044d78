import type { Cet } from '#core/cet.ts';
import type { Day, Instant } from '#core/day.ts';
import type { DebtEvent, Installment } from '#core/debt.ts';
import { type Cents, cents } from '#core/money.ts';
import type { Terms } from '#core/terms.ts';
import { type ResultColumns, toEvent } from './receipt.ts';
import { type CetColumns, cetIn, type TermsColumns, termsOf } from './terms-columns.ts';

/** A purchase with all its facts: enough to compute what is owed at any instant. `Name`: null before it is opened. */
export type CheckoutRecord<Name extends string | null = string | null> = {
  readonly customerId: string;
  readonly hash: Name;
  readonly offerId: string | null;
  readonly merchant: { readonly slug: string; readonly name: string; readonly logoUrl: string | null };
  readonly description: string | null;
  readonly purchasedAt: Instant;
  readonly financed: Cents;
  /** When the whole purchase was returned. */
  readonly returnedAt: Instant | null;
  /** When it was written off; null unless it is written off now. */
  readonly writtenOffAt: Instant | null;
  readonly terms: Terms;
  readonly cet: Cet;
  /** Of the contract as PDF; null while there is none. */
  readonly contractSha256: string | null;
  readonly installments: ReadonlyArray<{
    readonly id: Name;
    readonly number: number;
    /** What of the amount was taken off with cashback. */
    readonly redeemed: Cents;
    readonly debt: Installment;
  }>;
};

/** id, number, amount and what of it was taken off with cashback in centavos, due day as agreed, all that has happened to it if something of the purchase was returned */
export type InstallmentTuple = [string, number, number, number, string, DebtEvent[] | null];

/** installment, received at, reversed at (both in ms), kind, interest, fine, principal, discount, fee, new due day, priced on */
export type ReceiptTuple = [
  string,
  number,
  number | null,
  ResultColumns['outcome'],
  number,
  number,
  number,
  number,
  number,
  string | null,
  string | null,
];

export type CheckoutRecordRow = TermsColumns &
  CetColumns & {
    customer_id: string;
    hash: string;
    merchant_slug: string;
    merchant_name: string;
    merchant_logo_url: string | null;
    description: string | null;
    offer_id: string | null;
    purchased_at: Date;
    financed_cents: number;
    returned_at: Date | null;
    written_off_at: Date | null;
    contract_sha256: string | null;
    installments: InstallmentTuple[];
    receipts: ReceiptTuple[] | null;
  };

export function toCheckoutRecord(row: CheckoutRecordRow): CheckoutRecord<string> {
  const terms = termsOf(row);
  return {
    customerId: row.customer_id,
    hash: row.hash,
    offerId: row.offer_id,
    merchant: { slug: row.merchant_slug, name: row.merchant_name, logoUrl: row.merchant_logo_url },
    description: row.description,
    purchasedAt: row.purchased_at.getTime(),
    financed: cents(row.financed_cents),
    returnedAt: row.returned_at?.getTime() ?? null,
    writtenOffAt: row.written_off_at?.getTime() ?? null,
    terms,
    cet: cetIn(row),
    contractSha256: row.contract_sha256,
    installments: readInstallments(row.installments, row.receipts, terms),
  };
}

export function readInstallments(
  installments: InstallmentTuple[],
  receipts: ReceiptTuple[] | null,
  terms: Terms,
): CheckoutRecord<string>['installments'] {
  const byInstallment = receipts && Map.groupBy(receipts, ([installmentId]) => installmentId);
  return installments.map(([id, number, amountCents, redeemedCents, dueOn, history]) => ({
    id,
    number,
    redeemed: cents(redeemedCents),
    debt: {
      amount: cents(amountCents),
      dueOn: dueOn as Day,
      terms,
      events: history ?? byInstallment?.get(id)?.map(readEvent) ?? [],
    },
  }));
}

/** Only receipts that were applied are read here. */
function readEvent([
  ,
  at,
  reversedAt,
  outcome,
  interest,
  fine,
  principal,
  discount,
  fee,
  to,
  on,
]: ReceiptTuple) {
  const columns = {
    outcome,
    interest_cents: interest,
    fine_cents: fine,
    principal_cents: principal,
    discount_cents: discount,
    fee_cents: fee,
    extended_to: to,
    priced_on: on,
  };
  return toEvent(columns, at, reversedAt)!;
}
