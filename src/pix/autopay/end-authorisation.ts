import { lockCustomerById } from '#customers';
import { type CustomerTx, customerTransaction } from '#platform/database/customer-transaction.ts';
import { enqueueRemoval } from '../charges/cancel-charges.ts';
import type { Pix } from '../pix.ts';
import {
  type AuthorisationRow,
  type EndedBy,
  findAuthorisation,
  markEnded,
} from '../store/authorisations.ts';
import { markDebitsCancelled } from '../store/debits.ts';

/** Its last day has passed. */
export const OVER = 'over';

export type AuthorisationEnd = {
  status: 'rejected' | 'expired' | 'ended' | 'discarded';
  by: EndedBy | null;
  reason: string | null;
  /** It has ended at the PSP as well. */
  isRemoved: boolean;
};

/**
 * Ends an authorisation, whoever did: debits that were planned are withdrawn. The caller has locked the customer. At the PSP it is
 * ended by `syncAuthorisation`.
 */
export async function endIn(
  tx: CustomerTx,
  { events }: Pick<Pix, 'events'>,
  authorisation: AuthorisationRow,
  end: AuthorisationEnd,
  now: Date,
): Promise<boolean> {
  if (!(await markEnded(tx, authorisation, { ...end, now }))) return false;
  const { customer_id, checkout_hash, id } = authorisation;
  // One that ends by time lets its last debit finish.
  const withdrawn = end.reason === OVER ? [] : await markDebitsCancelled(tx, authorisation);
  for (const installment_id of withdrawn) await enqueueRemoval(tx, { customer_id, installment_id });
  if (end.status === 'discarded') return true;
  const data = {
    checkout_hash,
    autopay_id: id,
    status: end.status,
    by: end.by,
    reason: end.reason,
    ended_at: now.toISOString(),
  };
  await events.emit(tx, { type: 'autopay.ended', customerId: customer_id, data }, now);
  return true;
}

/** The same in a transaction of its own; returns the authorisation as it is then. */
export async function endAuthorisation(
  pix: Pix,
  authorisation: AuthorisationRow,
  end: AuthorisationEnd,
): Promise<AuthorisationRow> {
  const { customer_id, id } = authorisation;
  return customerTransaction(pix.db, customer_id, async (tx) => {
    await lockCustomerById(tx, customer_id);
    await endIn(tx, pix, authorisation, end, pix.clock.now());
    return (await findAuthorisation(tx, customer_id, id))!;
  });
}
