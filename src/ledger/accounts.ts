/**
 * The chart of accounts. Debits are positive, credits negative: assets (claims on customers, money at the bank) are positive,
 * liabilities and income negative. The database has the same list.
 */
export const ACCOUNTS = [
  /** Claims on installments, without penalties: those are posted only when they are paid. */
  'receivable',
  /** What is owed to merchants for their sales: an account per merchant. */
  'merchant_payable',
  /** Interest income, earned when it is agreed, less discounts for early payment. */
  'finance_income',
  /** Fines and late interest, as they are paid. */
  'penalty_income',
  /** Fees of extensions, as they are paid. */
  'extension_income',
  /** Money that arrived at the PSP. */
  'pix_clearing',
  /** Money that arrived without being owed, until it is refunded. */
  'refunds_payable',
  'cashback_expense',
  'cashback_owed',
  /** Cashback in transit to or from an installment: zero at the end of every transaction. */
  'cashback_clearing',
  /** Written-off claims. */
  'credit_losses',
] as const;

export type Account = (typeof ACCOUNTS)[number];

/** Accounts of movements that concern a merchant and no customer. */
export const MERCHANT_ACCOUNTS = [
  'merchant_payable',
  /** What merchants pay for selling on credit. */
  'fee_income',
  /** Money that went to merchants. */
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

/** The same entries merged by account and installment, without zeros. */
export function merged(entries: readonly Entry[]): Entry[] {
  const sums = new Map<string, Entry>();
  for (const entry of entries) {
    const key = `${entry.account} ${entry.installmentId}`;
    const amountCents = (sums.get(key)?.amountCents ?? 0) + entry.amountCents;
    sums.set(key, { ...entry, amountCents });
  }
  return [...sums.values()].filter(({ amountCents }) => amountCents !== 0);
}

export function reversed(entries: readonly Entry[]): Entry[] {
  return entries.map((entry) => ({ ...entry, amountCents: -entry.amountCents }));
}

export type Posting = {
  readonly customerId: string;
  /** The reason for the posting. Unique: the database refuses the same reference a second time. */
  readonly reference: string;
  readonly kind: string;
  /** When it happened, which may be before it was reported. */
  readonly occurredAt: Date;
  /** The merchant of its merchant_payable entries, if it has any. */
  readonly merchantId?: number;
  readonly entries: readonly Entry[];
};

/** A movement that concerns a merchant and no customer. */
export type MerchantPosting = Pick<Posting, 'reference' | 'kind' | 'occurredAt'> & {
  readonly merchantId: number;
  readonly entries: readonly MerchantEntry[];
};
