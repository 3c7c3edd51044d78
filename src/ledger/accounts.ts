/**
 * The chart of accounts. Debits are positive and credits negative, so assets (claims on customers, money at the bank) are positive,
 * liabilities and income negative. A constraint of the database has the same list.
 */
export const ACCOUNTS = [
  /** Claims on installments, without penalties, because penalties are posted only when they are paid. */
  'receivable',
  /** Amounts owed to merchants for their sales, one account per merchant. */
  'merchant_payable',
  /** Interest income, earned when it is agreed, less discounts for early payment. */
  'finance_income',
  /** Fines and late interest, posted when paid. */
  'penalty_income',
  /** Waived fines and late interest. penalty_income includes the same amounts. */
  'penalties_waived',
  /** Extension fees, posted when paid. */
  'extension_income',
  /** Money that arrived at the PSP. */
  'pix_clearing',
  /** Money that arrived but was not owed, until it is refunded. */
  'refunds_payable',
  /** The cost of the cashback that customers earned. */
  'cashback_expense',
  /** Cashback that customers can still spend. */
  'cashback_owed',
  /** Cashback in transit to or from an installment; zero at the end of every transaction. */
  'cashback_clearing',
  /** The outstanding amounts of purchases that were written off. */
  'credit_losses',
] as const;

export type Account = (typeof ACCOUNTS)[number];

/** The accounts of postings that concern a merchant and no customer. Postings of a customer's sale also use `merchant_payable`. */
export const MERCHANT_ACCOUNTS = [
  'merchant_payable',
  /** Fees that merchants pay for credit sales. */
  'fee_income',
  /** Money paid out to merchants. */
  'payout_clearing',
] as const;

export type MerchantEntry = {
  readonly account: (typeof MERCHANT_ACCOUNTS)[number];
  readonly amountCents: number;
};

/** An amount on an account, with its installment if it has one. */
export type Entry = {
  readonly account: Account;
  readonly installmentId: string | null;
  readonly amountCents: number;
};

/** Merges entries by account and installment, and drops zeros. */
export function mergeEntries(entries: readonly Entry[]): Entry[] {
  const mergedEntries = new Map<string, Entry>();
  for (const entry of entries) {
    const key = `${entry.account} ${entry.installmentId}`;
    const amountCents = (mergedEntries.get(key)?.amountCents ?? 0) + entry.amountCents;
    mergedEntries.set(key, { ...entry, amountCents });
  }
  return [...mergedEntries.values()].filter(({ amountCents }) => amountCents !== 0);
}

export function reverseEntries(entries: readonly Entry[]): Entry[] {
  return entries.map((entry) => ({ ...entry, amountCents: -entry.amountCents }));
}

export type Posting = {
  readonly customerId: string;
  /** The reason for the posting. Unique: the database refuses the same reference a second time. */
  readonly reference: string;
  readonly kind: string;
  /** When the cause happened, which may be before it was reported. */
  readonly occurredAt: Date;
  /** The merchant of the merchant_payable entries, if there are any. */
  readonly merchantId?: number;
  readonly entries: readonly Entry[];
};

/** A posting that concerns a merchant and no customer. */
export type MerchantPosting = Pick<Posting, 'reference' | 'kind' | 'occurredAt'> & {
  readonly merchantId: number;
  readonly entries: readonly MerchantEntry[];
};
