import { findIdentity, lockCustomerById } from '#customers';
import type { EventContext } from '#events';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { OFFER_TTL_MS } from '../acceptance.ts';
import type { CreditDeps } from '../deps.ts';
import { requireGoodStanding } from '../purchases/approve-purchase.ts';
import { refuseOwnMerchant, toOfferEvent } from './offer.ts';
import { transition } from './states.ts';
import { lockOffer, markClaimed, type OfferRow } from './store.ts';

/**
 * Binds an open offer to this customer, who then has two days to accept it. Idempotent. Returns undefined if there is no such offer.
 * Customers who may not buy cannot claim it. Locks the customer and then the offer, like acceptOffer.
 */
export async function claimOffer(
  tx: CustomerTx,
  { customerId, offerId }: { customerId: string; offerId: string },
  { cashbackDebt, findPayees }: Pick<CreditDeps, 'cashbackDebt' | 'findPayees'>,
  { events, now }: EventContext,
): Promise<OfferRow | undefined> {
  const customer = await lockCustomerById(tx, customerId);
  const offer = customer && (await lockOffer(tx, offerId));
  if (!offer || offer.customer_id === customerId) return offer;
  transition(offer, 'claim', now);
  const person = findIdentity(tx, customerId);
  await refuseOwnMerchant(tx, { ...customer, person }, offer, findPayees);
  await requireGoodStanding(tx, customer, { now, cashbackDebt });
  const expiresAt = new Date(now.getTime() + OFFER_TTL_MS);
  const claimed = await markClaimed(tx, offer.id, { customerId, now, expiresAt });
  await events.emit(tx, { type: 'offer.claimed', customerId, ...toOfferEvent(claimed) }, now);
  return claimed;
}
