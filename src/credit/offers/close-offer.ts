import { lockCustomerById } from '#customers';
import type { EventContext } from '#events';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import type { Tx } from '#platform/database/db.ts';
import { pluck } from '#platform/database/pluck.ts';
import { isOffered, offerEvent } from './offer.ts';
import { stateOf, transition } from './states.ts';
import { lockOffer, markClosed, markExpired, type OfferRow } from './store.ts';

/** Declined by the customer whose it is. Idempotent. Undefined when there is no such offer. */
export async function declineOffer(
  tx: CustomerTx,
  { customerId, offerId }: { customerId: string; offerId: string },
  { events, now }: EventContext,
): Promise<OfferRow | undefined> {
  const customer = await lockCustomerById(tx, customerId);
  const offer = await lockOffer(tx, offerId);
  if (!customer || !offer || !isOffered(offer, customer)) return undefined;
  if (transition(offer, 'decline', now) === offer.status) return offer;
  const declined = await markClosed(tx, offerId, 'declined', now);
  await events.emit(tx, { type: 'offer.declined', customerId, ...offerEvent(declined) }, now);
  return declined;
}

/** Cancelled by the merchant who made it. Idempotent. Undefined when there is no such offer. */
export async function cancelOffer(
  tx: Tx,
  { merchantId, offerId }: { merchantId: number; offerId: string },
  { events, now }: EventContext,
): Promise<OfferRow | undefined> {
  const offer = await lockOffer(tx, offerId);
  if (offer?.merchant_id !== merchantId) return undefined;
  if (transition(offer, 'cancel', now) === offer.status) return offer;
  const cancelled = await markClosed(tx, offerId, 'cancelled', now);
  await events.emit(tx, { type: 'offer.cancelled', customerId: null, ...offerEvent(cancelled) }, now);
  return cancelled;
}

/** Marks these offers as expired and emits their events, except those that are closed already. The caller has locked them. */
export async function expireOffers(
  tx: Tx,
  locked: readonly OfferRow[],
  { events, now }: EventContext,
): Promise<void> {
  const due = locked.filter((offer) => stateOf(offer, now) === 'expired' && offer.status !== 'expired');
  if (due.length === 0) return;
  for (const offer of await markExpired(tx, pluck(due, 'id')))
    await events.emit(tx, { type: 'offer.expired', customerId: null, ...offerEvent(offer) }, now);
}
