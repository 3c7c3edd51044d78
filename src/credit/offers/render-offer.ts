import type { Static } from 'typebox';
import { toAbsoluteUrl } from '#catalog';
import { centsToReais } from '#core/values/money.ts';
import { renderQrDataUri } from '#platform/qr-png.ts';
import type { Vault } from '#platform/vault.ts';
import type { CreditDeps } from '../deps.ts';
import { toCreditor } from '../documents/parties.ts';
import type { MemberRef } from '../fields.ts';
import type { Merchants } from '../purchases/checkout-record.ts';
import { renderQuote } from '../purchases/plan-purchase.ts';
import type { RenderContext } from '../purchases/render-checkout.ts';
import type { CreditSettings } from '../settings.ts';
import { planOffer } from './offer.ts';
import type { MerchantOffer, WalletOffer } from './schemas.ts';
import { computeStatus } from './states.ts';
import { decryptOfferClaimKeys, decryptPhone, type OfferRow } from './store.ts';

export type OfferLinks = Pick<CreditSettings, 'offerLink' | 'payLink'>;

export const buildOfferLink = (template: string, id: string): string => template.replaceAll('{id}', id);

export const renderItems = ({ items }: OfferRow) =>
  items.map(({ name, quantity, amount_cents }) => ({ name, quantity, amount: centsToReais(amount_cents) }));

const renderCommonFields = (offer: OfferRow, now: Date, installments?: number) => ({
  id: offer.id,
  status: computeStatus(offer, now),
  description: offer.description,
  items: renderItems(offer),
  quote: renderQuote(planOffer(offer, now, installments)),
  expires_at: offer.expires_at.toISOString(),
  created_at: offer.created_at.toISOString(),
  checkout_hash: offer.checkout_hash,
});

/** Renders the offer for its merchant, without data about the customer. */
export function renderForMerchant(
  vault: Vault,
  offer: OfferRow,
  links: OfferLinks,
  { now, author }: { now: Date; author: MemberRef },
): Static<typeof MerchantOffer> {
  const claimKeys = decryptOfferClaimKeys(vault, offer);
  const link =
    claimKeys === null
      ? buildOfferLink(links.offerLink, offer.id)
      : links.payLink.replaceAll('{token}', claimKeys.token);
  const isClaimable = claimKeys !== null && computeStatus(offer, now) === 'pending';
  return {
    ...renderCommonFields(offer, now),
    phone: decryptPhone(vault, offer),
    reference: offer.reference,
    metadata: offer.metadata,
    return_url: offer.return_url,
    link,
    code: isClaimable ? claimKeys.code : null,
    qr_code: isClaimable ? renderQrDataUri(link) : null,
    claimed_at: offer.claimed_at?.toISOString() ?? null,
    by: author,
  };
}

/** Renders the offer for its customer. The caller has awaited `merchants.waitUntilCurrent()`. */
export function renderForCustomer(
  offer: OfferRow,
  credit: CreditDeps,
  context: RenderContext,
  installments?: number,
): Static<typeof WalletOffer> {
  return {
    ...renderCommonFields(offer, new Date(context.now), installments),
    return_url: buildReturnUrl(offer, new Date(context.now)),
    merchant: renderMerchant(offer, credit.merchants, context),
    creditor: toCreditor(credit),
  };
}

/**
 * Renders the offer for everyone who has its link, without data about the customer. The caller has awaited `merchants.waitUntilCurrent()`.
 */
export function renderForPublic(offer: OfferRow, merchants: Merchants, context: RenderContext) {
  const now = new Date(context.now);
  return {
    status: computeStatus(offer, now),
    claimed: offer.claimed_at !== null || offer.phone_hash !== null,
    merchant: renderMerchant(offer, merchants, context),
    amount: centsToReais(offer.amount_cents),
    description: offer.description,
    items: renderItems(offer),
    quote: renderQuote(planOffer(offer, now, offer.installments)),
    return_url: buildReturnUrl(offer, now),
    expires_at: offer.expires_at.toISOString(),
  };
}

function renderMerchant(offer: OfferRow, merchants: Merchants, { publicUrl }: RenderContext) {
  const merchant = merchants.identify(offer.merchant_id);
  return {
    slug: merchant?.slug ?? offer.merchant_slug,
    name: merchant?.name ?? offer.merchant_name,
    logo_url: toAbsoluteUrl(merchant?.logoUrl ?? null, publicUrl),
  };
}

/** Builds the URL that the offer page links back to: the merchant's URL, with the status of the offer in its query. */
function buildReturnUrl(offer: OfferRow, now: Date): string | null {
  if (offer.return_url === null) return null;
  const url = new URL(offer.return_url);
  url.searchParams.set('offer_id', offer.id);
  url.searchParams.set('status', computeStatus(offer, now));
  if (offer.reference !== null) url.searchParams.set('reference', offer.reference);
  return url.href;
}
