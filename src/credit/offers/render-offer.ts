import type { Static } from 'typebox';
import { absoluteUrl } from '#catalog';
import type { Vault } from '#platform/privacy/vault.ts';
import type { Merchants } from '../purchases/current-merchant.ts';
import { renderQuote } from '../purchases/quote.ts';
import type { View } from '../purchases/render-checkout.ts';
import { planOffer, statusOf } from './offer.ts';
import type { MerchantOffer, WalletOffer } from './schemas.ts';
import { type OfferRow, phoneOf } from './store.ts';

export const offerLink = (link: string, id: string): string => link.replaceAll('{id}', id);

const shared = (offer: OfferRow, now: Date, installments?: number) => ({
  id: offer.id,
  status: statusOf(offer, now),
  description: offer.description,
  quote: renderQuote(planOffer(offer, now, installments)),
  expires_at: offer.expires_at.toISOString(),
  created_at: offer.created_at.toISOString(),
  checkout_hash: offer.checkout_hash,
});

/** For the merchant who made it: nothing about the person behind the phone. */
export function renderForMerchant(
  vault: Vault,
  offer: OfferRow,
  link: string,
  now: Date,
): Static<typeof MerchantOffer> {
  const { reference } = offer;
  const phone = phoneOf(vault, offer);
  return { ...shared(offer, now), phone, reference, link: offerLink(link, offer.id) };
}

/** For the owner of the phone. `merchants` is current. */
export function renderForCustomer(
  offer: OfferRow,
  merchants: Merchants,
  { now, publicUrl }: View,
  installments?: number,
): Static<typeof WalletOffer> {
  const merchant = merchants.identify(offer.merchant_id);
  return {
    ...shared(offer, new Date(now), installments),
    merchant: {
      slug: merchant?.slug ?? offer.merchant_slug,
      name: merchant?.name ?? offer.merchant_name,
      logo_url: absoluteUrl(merchant?.logoUrl ?? null, publicUrl),
    },
  };
}
