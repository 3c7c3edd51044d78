import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import type { Tx } from '#platform/database/db.ts';
import { type MerchantPosting, mergeEntries, type Posting } from './accounts.ts';
import { queueMerchantPostingInsert, queuePostingInsert } from './store.ts';

/**
 * Queues a balanced posting, which the caller's transaction writes; this is the only way to move money. The caller has locked the customer,
 * so one customer's postings are numbered in the order of their commits. Does not write a posting whose entries are all zero.
 */
export function post(tx: CustomerTx, posting: Posting, now: Date): void {
  const entries = mergeEntries(posting.entries);
  assertBalanced({ ...posting, entries });
  if (posting.merchantId === undefined && entries.some(({ account }) => account === 'merchant_payable'))
    throw new Error(`'${posting.reference}' has a merchant_payable entry but no merchant`);
  if (entries.length > 0) queuePostingInsert(tx, { ...posting, entries }, now);
}

/** Like `post`, for merchant postings. Only inserts rows, so concurrent sales of one merchant do not wait for each other. */
export function queueMerchantPosting(tx: Tx, posting: MerchantPosting, now: Date): void {
  const entries = posting.entries.filter(({ amountCents }) => amountCents !== 0);
  assertBalanced({ ...posting, entries });
  if (entries.length > 0) queueMerchantPostingInsert(tx, { ...posting, entries }, now);
}

function assertBalanced(posting: {
  reference: string;
  entries: ReadonlyArray<{ amountCents: number }>;
}): void {
  const { reference, entries } = posting;
  const imbalance = entries.reduce((total, { amountCents }) => total + amountCents, 0);
  if (imbalance !== 0) throw new Error(`'${reference}' is out of balance by ${imbalance} centavos`);
  const invalidEntry = entries.find(({ amountCents }) => !Number.isSafeInteger(amountCents));
  if (invalidEntry) throw new Error(`'${reference}' has an entry of ${invalidEntry.amountCents} centavos`);
}
