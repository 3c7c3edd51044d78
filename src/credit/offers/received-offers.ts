import type { Static } from 'typebox';
import { ERASED_PHONE_HASH, findPhoneHash } from '#customers';
import { type Page, toPageRange } from '#platform/http/pagination.ts';
import type { CreditDeps } from '../deps.ts';
import { isOfferedToCustomer } from './offer.ts';
import { renderOfferForCustomer } from './render-offer.ts';
import type { WalletOffer } from './schemas.ts';
import type { OfferStatus } from './states.ts';
import { findOffer, listOffers } from './store.ts';

/** Returns a page of the offers that were sent to the customer or claimed by them, newest first, and the total count. */
export async function listReceivedOffers(
  deps: CreditDeps,
  customerId: string,
  { status, ...page }: Page & { status?: OfferStatus | undefined },
): Promise<{ data: Array<Static<typeof WalletOffer>>; total: number }> {
  const { db, clock, publicUrl, merchants } = deps;
  const now = clock.now();
  const phoneHash = (await findPhoneHash(db.shared, customerId)) ?? ERASED_PHONE_HASH;
  const scope = { customerId, phoneHash };
  const { offers, total } = await listOffers(db.shared, scope, status ?? null, now, toPageRange(page));
  const renderContext = { now: now.getTime(), publicUrl: publicUrl() };
  await merchants.waitUntilCurrent();
  return { total, data: offers.map((offer) => renderOfferForCustomer(offer, deps, renderContext)) };
}

/** Finds an offer that was sent to the customer or claimed by them. Waits until the merchant cache is current. */
export async function findReceivedOffer({ db, merchants }: CreditDeps, customerId: string, id: string) {
  const offer = await findOffer(db.shared, id);
  const phoneHash = await findPhoneHash(db.shared, customerId);
  await merchants.waitUntilCurrent();
  const isOwn = offer && phoneHash && isOfferedToCustomer(offer, { id: customerId, phone_hash: phoneHash });
  return isOwn ? offer : undefined;
}
