import { lockCustomerById } from '#customers';
import type { EventContext } from '#events';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import type { Tx } from '#platform/database/db.ts';
import { closedProblem, offerEvent, statusOf } from './offer.ts';
import { lockOffer, markClosed, type OfferRow } from './store.ts';

/** Declined by the customer with that phone. Idempotent. Undefined when there is no such offer. */
export async function declineOffer(
  tx: CustomerTx,
  { customerId, offerId }: { customerId: string; offerId: string },
  { events, now }: EventContext,
): Promise<OfferRow | undefined> {
  const customer = await lockCustomerById(tx, customerId);
  const offer = await lockOffer(tx, offerId);
  if (!customer || !offer?.phone_hash.equals(customer.phone_hash)) return undefined;
  if (offer.status === 'declined') return offer;
  const closed = closedProblem(offer, now);
  if (closed) throw closed;
  const declined = await markClosed(tx, offerId, 'declined', now);
  const told = { type: 'offer.declined', customerId, merchantId: offer.merchant_id } as const;
  await events.emit(tx, { ...told, data: offerEvent(declined) }, now);
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
  if (offer.status === 'cancelled') return offer;
  const closed = closedProblem(offer, now);
  if (closed) throw closed;
  const cancelled = await markClosed(tx, offerId, 'cancelled', now);
  const told = { type: 'offer.cancelled', customerId: null, merchantId } as const;
  await events.emit(tx, { ...told, data: offerEvent(cancelled) }, now);
  return cancelled;
}

/** Marks the offer as expired and emits its event, unless it was closed. */
export async function expireOffer(tx: Tx, offerId: string, { events, now }: EventContext): Promise<void> {
  const offer = await lockOffer(tx, offerId);
  if (offer?.status !== 'pending' || statusOf(offer, now) !== 'expired') return;
  await tellExpired(tx, await markClosed(tx, offerId, 'expired', offer.expires_at), { events, now });
}

export async function tellExpired(tx: Tx, offer: OfferRow, { events, now }: EventContext): Promise<void> {
  const told = { type: 'offer.expired', customerId: null, merchantId: offer.merchant_id } as const;
  await events.emit(tx, { ...told, data: offerEvent(offer) }, now);
}
