import { lockCustomerById } from '#customers';
import type { EventContext } from '#events';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { pluck, type Tx } from '#platform/database/db.ts';
import { isOfferedTo, toOfferEvent } from './offer.ts';
import { computeState, transition } from './states.ts';
import { lockOffer, markClosed, markExpired, type OfferRow } from './store.ts';

/** The customer declines the offer. Idempotent. Returns undefined if the customer has no such offer. */
export async function declineOffer(
  tx: CustomerTx,
  { customerId, offerId }: { customerId: string; offerId: string },
  { events, now }: EventContext,
): Promise<OfferRow | undefined> {
  const customer = await lockCustomerById(tx, customerId);
  const offer = await lockOffer(tx, offerId);
  if (!customer || !offer || !isOfferedTo(offer, customer)) return undefined;
  if (transition(offer, 'decline', now) === offer.status) return offer;
  const declined = await markClosed(tx, offerId, 'declined', now);
  await events.emit(tx, { type: 'offer.declined', customerId, ...toOfferEvent(declined) }, now);
  return declined;
}

/** The merchant cancels its offer. Idempotent. Returns undefined if the merchant has no such offer. */
export async function cancelOffer(
  tx: Tx,
  { merchantId, offerId }: { merchantId: number; offerId: string },
  { events, now }: EventContext,
): Promise<OfferRow | undefined> {
  const offer = await lockOffer(tx, offerId);
  if (offer?.merchant_id !== merchantId) return undefined;
  if (transition(offer, 'cancel', now) === offer.status) return offer;
  const cancelled = await markClosed(tx, offerId, 'cancelled', now);
  await events.emit(tx, { type: 'offer.cancelled', customerId: null, ...toOfferEvent(cancelled) }, now);
  return cancelled;
}

/** Marks pending offers past their deadline as expired and emits their events. Skips the others. The caller has locked them. */
export async function expireOffers(tx: Tx, lockedOffers: readonly OfferRow[], { events, now }: EventContext) {
  const expired = lockedOffers.filter(
    (offer) => computeState(offer, now) === 'expired' && offer.status !== 'expired',
  );
  if (expired.length === 0) return;
  for (const offer of await markExpired(tx, pluck(expired, 'id')))
    await events.emit(tx, { type: 'offer.expired', customerId: null, ...toOfferEvent(offer) }, now);
}
