import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import type { Tx } from '#platform/database/db.ts';
import { type MerchantPosting, merged, type Posting } from './accounts.ts';
import { insertMerchantPosting, insertPosting } from './store.ts';

/**
 * The only way to move money: writes a balanced posting in the caller's transaction. The caller has locked the customer, so one
 * customer's postings are numbered in the order of their commits. A posting of zero is not written.
 */
export function post(tx: CustomerTx, posting: Posting, now: Date): void {
  const entries = merged(posting.entries);
  refuseImbalance({ ...posting, entries });
  if (posting.merchantId === undefined && entries.some(({ account }) => account === 'merchant_payable'))
    throw new Error(`'${posting.reference}' does not say whose merchant_payable it is`);
  if (entries.length > 0) insertPosting(tx, { ...posting, entries }, now);
}

/** The same for the merchants' side. It only inserts rows, so concurrent sales of one merchant do not wait for each other. */
export function postForMerchant(tx: Tx, posting: MerchantPosting, now: Date): void {
  const entries = posting.entries.filter(({ amountCents }) => amountCents !== 0);
  refuseImbalance({ ...posting, entries });
  if (entries.length > 0) insertMerchantPosting(tx, { ...posting, entries }, now);
}

function refuseImbalance(posting: {
  reference: string;
  entries: ReadonlyArray<{ amountCents: number }>;
}): void {
  const { reference, entries } = posting;
  const offBy = entries.reduce((total, { amountCents }) => total + amountCents, 0);
  if (offBy !== 0) throw new Error(`'${reference}' is out of balance by ${offBy} centavos`);
  const wrong = entries.find(({ amountCents }) => !Number.isSafeInteger(amountCents));
  if (wrong) throw new Error(`'${reference}' has an entry of ${wrong.amountCents} centavos`);
}
