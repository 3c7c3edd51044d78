import type { Static } from 'typebox';
import { absoluteUrl } from '#catalog';
import { reaisOf } from '#core/money.ts';
import { qrDataUri } from '#platform/qr-png.ts';
import type { Vault } from '#platform/vault.ts';
import type { By } from '../by.ts';
import type { Merchants } from '../purchases/current-merchant.ts';
import { renderQuote } from '../purchases/quote.ts';
import type { View } from '../purchases/render-checkout.ts';
import type { CreditSettings } from '../settings.ts';
import { planOffer } from './offer.ts';
import type { MerchantOffer, PublicOffer, WalletOffer } from './schemas.ts';
import { statusOf } from './states.ts';
import { claimKeysOf, type OfferRow, phoneOf } from './store.ts';

export type OfferLinks = Pick<CreditSettings, 'offerLink' | 'payLink'>;

export const offerLink = (link: string, id: string): string => link.replaceAll('{id}', id);

export const renderItems = ({ items }: OfferRow) =>
  items.map(({ name, quantity, amount_cents }) => ({ name, quantity, amount: reaisOf(amount_cents) }));

const shared = (offer: OfferRow, now: Date, installments?: number) => ({
  id: offer.id,
  status: statusOf(offer, now),
  description: offer.description,
  items: renderItems(offer),
  quote: renderQuote(planOffer(offer, now, installments)),
  expires_at: offer.expires_at.toISOString(),
  created_at: offer.created_at.toISOString(),
  checkout_hash: offer.checkout_hash,
});

/** For the merchant who made it: nothing about the person behind the phone, or who has claimed it. */
export function renderForMerchant(
  vault: Vault,
  offer: OfferRow,
  links: OfferLinks,
  { now, by }: { now: Date; by: By },
): Static<typeof MerchantOffer> {
  const keys = claimKeysOf(vault, offer);
  const link =
    keys === null ? offerLink(links.offerLink, offer.id) : links.payLink.replaceAll('{token}', keys.token);
  const isWaiting = keys !== null && statusOf(offer, now) === 'pending';
  return {
    ...shared(offer, now),
    phone: phoneOf(vault, offer),
    reference: offer.reference,
    return_url: offer.return_url,
    link,
    code: isWaiting ? keys.code : null,
    qr_code: isWaiting ? qrDataUri(link) : null,
    claimed_at: offer.claimed_at?.toISOString() ?? null,
    by,
  };
}

/** For the customer whose it is. `merchants` is current. */
export function renderForCustomer(
  offer: OfferRow,
  merchants: Merchants,
  view: View,
  installments?: number,
): Static<typeof WalletOffer> {
  return {
    ...shared(offer, new Date(view.now), installments),
    return_url: returnUrlOf(offer, new Date(view.now)),
    merchant: merchantOf(offer, merchants, view),
  };
}

/** For anybody who has the link: nothing of who has claimed it, nor in how many installments they buy. `merchants` is current. */
export function renderForPublic(
  offer: OfferRow,
  merchants: Merchants,
  view: View,
): Static<typeof PublicOffer> {
  const now = new Date(view.now);
  return {
    status: statusOf(offer, now),
    claimed: offer.claimed_at !== null || offer.phone_hash !== null,
    merchant: merchantOf(offer, merchants, view),
    amount: reaisOf(offer.amount_cents),
    description: offer.description,
    items: renderItems(offer),
    quote: renderQuote(planOffer(offer, now, offer.installments)),
    return_url: returnUrlOf(offer, now),
    expires_at: offer.expires_at.toISOString(),
  };
}

function merchantOf(offer: OfferRow, merchants: Merchants, { publicUrl }: View) {
  const merchant = merchants.identify(offer.merchant_id);
  return {
    slug: merchant?.slug ?? offer.merchant_slug,
    name: merchant?.name ?? offer.merchant_name,
    logo_url: absoluteUrl(merchant?.logoUrl ?? null, publicUrl),
  };
}

/** Where the page leads back to: the merchant's address, with what became of the offer in its query. */
function returnUrlOf(offer: OfferRow, now: Date): string | null {
  if (offer.return_url === null) return null;
  const url = new URL(offer.return_url);
  url.searchParams.set('offer_id', offer.id);
  url.searchParams.set('status', statusOf(offer, now));
  if (offer.reference !== null) url.searchParams.set('reference', offer.reference);
  return url.href;
}
