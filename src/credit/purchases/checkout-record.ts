import type { Cet } from '#core/cet.ts';
import type { Day } from '#core/day.ts';
import type { DebtEvent, Installment } from '#core/debt.ts';
import { type Cents, cents } from '#core/money.ts';
import type { Terms } from '#core/terms.ts';
import type { ShownMerchant } from './current-merchant.ts';
import { type ResultColumns, toEvent } from './receipt.ts';
import { type CetColumns, cetIn, type TermsColumns, termsOf } from './terms-columns.ts';

/** What is stored of a purchase and shown, besides its terms. */
export type CheckoutFacts = ShownMerchant & {
  readonly customer_id: string;
  readonly offer_id: string | null;
  readonly description: string | null;
  readonly purchased_at: Date;
  readonly financed_cents: number;
  /** When the whole purchase was returned. */
  readonly returned_at: Date | null;
  /** When it was written off; null unless it is written off now. */
  readonly written_off_at: Date | null;
  /** Of the contract as PDF; null while there is none. */
  readonly contract_sha256: string | null;
};

/** A purchase with all its facts: enough to compute what is owed at any instant. `Name`: null before it is opened. */
export type CheckoutRecord<Name extends string | null = string | null> = CheckoutFacts & {
  readonly hash: Name;
  readonly terms: Terms;
  readonly cet: Cet;
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

export type CheckoutRecordRow = CheckoutFacts &
  TermsColumns &
  CetColumns & { hash: string; installments: InstallmentTuple[]; receipts: ReceiptTuple[] | null };

export function toCheckoutRecord(row: CheckoutRecordRow): CheckoutRecord<string> {
  const terms = termsOf(row);
  const installments = readInstallments(row.installments, row.receipts, terms);
  return { ...row, terms, cet: cetIn(row), installments };
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
function readEvent(receipt: ReceiptTuple) {
  const [, at, reversedAt, outcome, interest, fine, principal, discount, fee, to, on] = receipt;
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
