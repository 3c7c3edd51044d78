import type { Tx } from '#platform/db.ts';
import { type Entry, merged } from './accounts.ts';
import { insertPosting } from './store.ts';

export type Posting = {
  readonly customerId: string;
  /** What it is posted for. The same reference a second time is refused by the database. */
  readonly reference: string;
  readonly kind: string;
  /** When it happened, which may be before we heard of it. */
  readonly occurredAt: Date;
  readonly entries: readonly Entry[];
};

/**
 * The one door of money: writes down a movement, whole and in balance, in the transaction that makes it. The caller has
 * locked the customer, so that one customer's postings are numbered in the order of their commits. A movement that comes
 * to nothing is not written, and has no id.
 */
export async function post(tx: Tx, posting: Posting, now: Date): Promise<number | undefined> {
  const entries = merged(posting.entries);
  const offBy = entries.reduce((total, { amountCents }) => total + amountCents, 0);
  if (offBy !== 0) throw new Error(`'${posting.reference}' is out of balance by ${offBy} centavos`);
  const wrong = entries.find(({ amountCents }) => !Number.isSafeInteger(amountCents));
  if (wrong) throw new Error(`'${posting.reference}' has an entry of ${wrong.amountCents} centavos`);
  return entries.length > 0 ? insertPosting(tx, { ...posting, entries }, now) : undefined;
}
