import type { MerchantCache } from '#catalog';
import type { Cet } from '#core/finance/cet.ts';
import type { DebtEvent, Installment } from '#core/finance/debt.ts';
import type { Terms } from '#core/finance/terms.ts';
import type { Day } from '#core/values/day.ts';
import { type Cents, cents } from '#core/values/money.ts';
import { type ResultColumns, toDebtEvent } from './receipt.ts';
import { type CetColumns, type TermsColumns, toCet, toTerms } from './terms.ts';

/** The stored fields of a purchase that are rendered, without its terms. */
export type CheckoutFacts = MerchantView & {
  readonly customer_id: string;
  readonly offer_id: string | null;
  readonly description: string | null;
  readonly purchased_at: Date;
  readonly financed_cents: number;
  readonly returned_at: Date | null;
  /** Null unless the purchase is currently written off. */
  readonly written_off_at: Date | null;
  /** SHA-256 of the contract; null if there is none yet. */
  readonly contract_sha256: string | null;
};

/** A purchase with all facts needed to compute its debt at any instant. Its ids are null until the purchase is opened. */
export type CheckoutRecord<Id extends string | null = string | null> = CheckoutFacts & {
  readonly hash: Id;
  readonly terms: Terms;
  readonly cet: Cet;
  readonly installments: ReadonlyArray<{
    readonly id: Id;
    readonly number: number;
    /** The part of the amount that was paid with cashback. */
    readonly redeemed: Cents;
    readonly debtFacts: Installment;
  }>;
  /** Absent if the purchase is new. */
  readonly returns?: readonly ReturnTuple[] | null;
};

// The database returns tuples as JSON arrays, which are smaller than objects, and null instead of an empty list.

type ReturnTuple = [amountCents: number, reasonForCustomer: string, returnedAtMs: number];

export type InstallmentTuple = [
  id: string,
  number: number,
  amountCents: number,
  redeemedCents: number,
  agreedDueOn: string,
  /** All debt events if the purchase has returns; null if its debt events follow from the receipts. */
  history: DebtEvent[] | null,
];

/** Amounts are in centavos. */
export type ReceiptTuple = [
  installmentId: string,
  receivedAtMs: number,
  reversedAtMs: number | null,
  outcome: ResultColumns['outcome'],
  interest: number,
  fine: number,
  principal: number,
  discount: number,
  fee: number,
  extendedTo: string | null,
  pricedOn: string | null,
  waivedInterest: number,
  waivedFine: number,
];

export type CheckoutRecordRow = CheckoutFacts &
  TermsColumns &
  CetColumns & {
    hash: string;
    installments: InstallmentTuple[];
    receipts: ReceiptTuple[] | null;
    returns: ReturnTuple[] | null;
  };

export function toCheckoutRecord(row: CheckoutRecordRow): CheckoutRecord<string> {
  const terms = toTerms(row);
  const installments = parseInstallments(row.installments, row.receipts, terms);
  return { ...row, terms, cet: toCet(row), installments };
}

export function parseInstallments(
  installments: InstallmentTuple[],
  receipts: ReceiptTuple[] | null,
  terms: Terms,
): CheckoutRecord<string>['installments'] {
  const receiptsByInstallment = receipts && Map.groupBy(receipts, ([installmentId]) => installmentId);
  return installments.map(([id, number, amountCents, redeemedCents, dueOn, history]) => ({
    id,
    number,
    redeemed: cents(redeemedCents),
    debtFacts: {
      amount: cents(amountCents),
      dueOn: dueOn as Day,
      terms,
      events: history ?? receiptsByInstallment?.get(id)?.map(parseReceiptEvent) ?? [],
    },
  }));
}

/** Parses a receipt. Only receipts that were applied are selected, so each has an event. */
function parseReceiptEvent(receipt: ReceiptTuple) {
  const [, receivedAt, reversedAt, outcome, interest, fine, principal, discount, fee, ...otherFields] =
    receipt;
  const [extendedTo, pricedOn, waivedInterest, waivedFine] = otherFields;
  const columns = {
    outcome,
    interest_cents: interest,
    fine_cents: fine,
    principal_cents: principal,
    discount_cents: discount,
    fee_cents: fee,
    extended_to: extendedTo,
    priced_on: pricedOn,
    waived_interest_cents: waivedInterest,
    waived_fine_cents: waivedFine,
  };
  return toDebtEvent(columns, receivedAt, reversedAt)!;
}

export type Merchants = Pick<MerchantCache, 'waitUntilCurrent' | 'identify'>;

export type MerchantView = {
  merchant_slug: string;
  merchant_name: string;
  merchant_logo_url: string | null;
};

/** A row with the merchant as stored with the purchase, without a logo. */
export type StoredMerchant<R extends MerchantView> = Omit<R, 'merchant_logo_url'> & { merchant_id: number };

/**
 * Adds the merchant's current slug, name and logo to each row. Falls back to the stored ones if the merchant is no longer in the catalog.
 */
export async function withCurrentMerchants<R extends MerchantView>(
  rows: ReadonlyArray<StoredMerchant<R>>,
  merchants: Merchants,
): Promise<R[]> {
  await merchants.waitUntilCurrent();
  return rows.map((row) => {
    const merchant = merchants.identify(row.merchant_id);
    return {
      ...row,
      merchant_slug: merchant?.slug ?? row.merchant_slug,
      merchant_name: merchant?.name ?? row.merchant_name,
      merchant_logo_url: merchant?.logoUrl ?? null,
    } as StoredMerchant<R> & MerchantView as unknown as R;
  });
}
