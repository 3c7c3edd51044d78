import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import type { Pix } from '../pix.ts';
import { enqueueChargeCancellation } from '../settlement/cancel-charges.ts';
import {
  type AuthorisationEnd,
  type AuthorisationRow,
  findAuthorisation,
  findVisibleAuthorisation,
  markEnded,
} from '../store/authorisations.ts';
import { markDebitsCancelled } from '../store/charges.ts';
import { withLockedCustomer } from '../with-locked-customer.ts';
import { authorisationStatusAt } from './render-autopay.ts';

export type { AuthorisationEnd };

/** The reason of an authorisation whose last day has passed. */
export const PERIOD_OVER = 'over';

const WITHOUT_REASON = { endedBy: null, reason: null, isEndedAtPsp: false };
const BY_SERVICE = { status: 'ended', endedBy: 'service', isEndedAtPsp: false } as const;

/** Its code was never shown. */
export const DISCARDED: AuthorisationEnd = { status: 'discarded', ...WITHOUT_REASON };
/** The payer did not respond in time. */
export const EXPIRED: AuthorisationEnd = { status: 'expired', ...WITHOUT_REASON };
export const REPLACED: AuthorisationEnd = { ...BY_SERVICE, reason: 'replaced' };
export const NOTHING_OWED: AuthorisationEnd = { ...BY_SERVICE, reason: 'nothing_owed' };
const BY_CUSTOMER: AuthorisationEnd = {
  status: 'ended',
  endedBy: 'customer',
  reason: 'asked',
  isEndedAtPsp: false,
};

/**
 * Ends an authorisation here and withdraws its planned debits. The caller must have locked the customer. `syncAuthorisation` ends
 * it at the PSP.
 */
export async function endLockedAuthorisation(
  tx: CustomerTx,
  { events }: Pick<Pix, 'events'>,
  authorisation: AuthorisationRow,
  end: AuthorisationEnd,
  now: Date,
): Promise<boolean> {
  if (!(await markEnded(tx, authorisation, end, now))) return false;
  const { customer_id, checkout_hash, id } = authorisation;
  // The last debit may finish after the authorisation's last day.
  const installmentIds = end.reason === PERIOD_OVER ? [] : await markDebitsCancelled(tx, authorisation);
  for (const installment_id of installmentIds)
    await enqueueChargeCancellation(tx, { customer_id, installment_id });
  if (end.status === 'discarded') return true;
  const { status, endedBy: by, reason } = end;
  const data = { checkout_hash, autopay_id: id, status, by, reason, ended_at: now.toISOString() };
  await events.emit(tx, { type: 'autopay.ended', customerId: customer_id, data }, now);
  return true;
}

/** Ends an authorisation in its own transaction. */
export const endAuthorisation = (pix: Pix, authorisation: AuthorisationRow, end: AuthorisationEnd) =>
  withLockedCustomer(pix, authorisation.customer_id, (tx) =>
    endLockedAuthorisation(tx, pix, authorisation, end, pix.clock.now()),
  );

/** Ends the authorisation of a purchase for its customer. An expired code stays expired. Undefined: the purchase never had one. */
export const endForCustomer = (
  pix: Pix,
  customerId: string,
  hash: string,
): Promise<AuthorisationRow | undefined> =>
  withLockedCustomer(pix, customerId, async (tx) => {
    const authorisation = await findVisibleAuthorisation(tx, customerId, hash);
    if (!authorisation) return undefined;
    const now = pix.clock.now();
    const isExpired = authorisationStatusAt(authorisation, now) === 'expired';
    await endLockedAuthorisation(tx, pix, authorisation, isExpired ? EXPIRED : BY_CUSTOMER, now);
    return findAuthorisation(tx, customerId, authorisation.id);
  });
