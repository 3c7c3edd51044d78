import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { lockedCustomer } from '../locked-customer.ts';
import { enqueueRemoval } from '../payments/cancel-charges.ts';
import type { Pix } from '../pix.ts';
import {
  type AuthorisationEnd,
  type AuthorisationRow,
  findAuthorisation,
  markEnded,
} from '../store/authorisations.ts';
import { markDebitsCancelled } from '../store/charges.ts';

export type { AuthorisationEnd };

/** Its last day has passed. */
export const OVER = 'over';

const endedBy = (by: AuthorisationEnd['by'], reason: string | null) => ({ by, reason, isRemoved: false });

/** Nobody saw its code. */
export const DISCARDED: AuthorisationEnd = { status: 'discarded', ...endedBy(null, null) };
/** The payer did not answer in time. */
export const EXPIRED: AuthorisationEnd = { status: 'expired', ...endedBy(null, null) };
export const REPLACED: AuthorisationEnd = { status: 'ended', ...endedBy('service', 'replaced') };
export const NOTHING_OWED: AuthorisationEnd = { status: 'ended', ...endedBy('service', 'nothing_owed') };

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
  if (!(await markEnded(tx, authorisation, end, now))) return false;
  const { customer_id, checkout_hash, id } = authorisation;
  // One that ends by time lets its last debit finish.
  const withdrawn = end.reason === OVER ? [] : await markDebitsCancelled(tx, authorisation);
  for (const installment_id of withdrawn) await enqueueRemoval(tx, { customer_id, installment_id });
  if (end.status === 'discarded') return true;
  const { status, by, reason } = end;
  const data = { checkout_hash, autopay_id: id, status, by, reason, ended_at: now.toISOString() };
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
  return lockedCustomer(pix, customer_id, async (tx) => {
    await endIn(tx, pix, authorisation, end, pix.clock.now());
    return (await findAuthorisation(tx, customer_id, id))!;
  });
}
