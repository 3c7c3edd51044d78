/**
 * Every account money can be in. Debits are above zero, credits below: what customers owe us and what lies at the bank
 * stands above zero, what we owe and what we earned below. The database knows the same list.
 */
export const ACCOUNTS = [
  /** What customers owe on installments, penalties not counted: those are asked for only when they are paid. */
  'receivable',
  /** What merchants are still to be given for what was bought from them: an account for each merchant. */
  'merchant_payable',
  /** The price of the credit, earned when it is agreed; what is given back for paying early is taken off. */
  'finance_income',
  /** Fines and late interest, as they are paid. */
  'penalty_income',
  /** Fees of extensions, as they are paid. */
  'extension_income',
  /** Money that arrived at the PSP. */
  'pix_clearing',
  /** Money that arrived without being owed, until it is back with the payer. */
  'refunds_payable',
  'cashback_expense',
  'cashback_owed',
  /** Cashback on its way to or from an installment: empty whenever a transaction ends. */
  'cashback_clearing',
  /** What is owed on purchases that were written off, and nobody expects to be paid. */
  'credit_losses',
] as const;

export type Account = (typeof ACCOUNTS)[number];

/** Those of movements that concern a merchant and no customer. */
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

/** An amount on an account, and the installment it is about if it is about one. */
export type Entry = {
  readonly account: Account;
  readonly installmentId: string | null;
  readonly amountCents: number;
};

/** The same entries with one for each account and installment, and none of nothing. */
export function merged(entries: readonly Entry[]): Entry[] {
  const sums = new Map<string, Entry>();
  for (const entry of entries) {
    const key = `${entry.account} ${entry.installmentId}`;
    const amountCents = (sums.get(key)?.amountCents ?? 0) + entry.amountCents;
    sums.set(key, { ...entry, amountCents });
  }
  return [...sums.values()].filter(({ amountCents }) => amountCents !== 0);
}

/** What undoes them. */
export function reversed(entries: readonly Entry[]): Entry[] {
  return entries.map((entry) => ({ ...entry, amountCents: -entry.amountCents }));
}

export type Posting = {
  readonly customerId: string;
  /** What it is posted for. The same reference a second time is refused by the database. */
  readonly reference: string;
  readonly kind: string;
  /** When it happened, which may be before we heard of it. */
  readonly occurredAt: Date;
  /** Whose account merchant_payable is, if it has such entries. */
  readonly merchantId?: number;
  readonly entries: readonly Entry[];
};

/** A movement that concerns a merchant and no customer. */
export type MerchantPosting = Pick<Posting, 'reference' | 'kind' | 'occurredAt'> & {
  readonly merchantId: number;
  readonly entries: readonly MerchantEntry[];
};
