import type { Static } from 'typebox';
import { toAbsoluteUrl } from '#catalog';
import { centsToReais } from '#core/values/money.ts';
import { project } from '#platform/http/project.ts';
import { renderQrDataUri } from '#platform/qr-png.ts';
import type { Vault } from '#platform/vault.ts';
import type { CreditDeps } from '../deps.ts';
import { toCreditor } from '../documents/parties.ts';
import type { RecordCreator } from '../fields.ts';
import type { Merchants } from '../purchases/checkout-record.ts';
import { renderQuote } from '../purchases/plan-purchase.ts';
import type { RenderContext } from '../purchases/render-checkout.ts';
import type { CreditSettings } from '../settings.ts';
import { planOffer } from './offer.ts';
import { MerchantOffer, PublicOffer, WalletOffer } from './schemas.ts';
import { computeStatus } from './states.ts';
import { decryptOfferClaimKeys, decryptPhone, type OfferRow } from './store.ts';

/** The settings with the links to offers, which contain `{id}` or `{token}`. */
export type LinkSettings = Pick<CreditSettings, 'offerLink' | 'payLink'>;

export const buildOfferLink = (template: string, id: string): string => template.replaceAll('{id}', id);

export const renderItems = ({ items }: OfferRow) =>
  items.map(({ name, quantity, amount_cents }) => ({ name, quantity, amount: centsToReais(amount_cents) }));

/** Renders the items, and the fields that depend on the time, because the stored status may be out of date. */
const renderCommonFields = (offer: OfferRow, now: Date, installments?: number) => ({
  status: computeStatus(offer, now),
  items: renderItems(offer),
  quote: renderQuote(planOffer(offer, now, installments)),
});

/** Renders the offer for its merchant, without data about the customer. */
export function renderOfferForMerchant(
  vault: Vault,
  offer: OfferRow,
  settings: LinkSettings,
  { now, author }: { now: Date; author: RecordCreator },
): Static<typeof MerchantOffer> {
  const claimKeys = decryptOfferClaimKeys(vault, offer);
  const link =
    claimKeys === null
      ? buildOfferLink(settings.offerLink, offer.id)
      : settings.payLink.replaceAll('{token}', claimKeys.token);
  const isClaimable = claimKeys !== null && computeStatus(offer, now) === 'pending';
  return {
    ...project(MerchantOffer, offer),
    ...renderCommonFields(offer, now),
    phone: decryptPhone(vault, offer),
    link,
    code: isClaimable ? claimKeys.code : null,
    qr_code: isClaimable ? renderQrDataUri(link) : null,
    by: author,
  };
}

/** Renders the offer for its customer. The caller has awaited `merchants.waitUntilCurrent()`. */
export function renderOfferForCustomer(
  offer: OfferRow,
  deps: CreditDeps,
  context: RenderContext,
  installments?: number,
): Static<typeof WalletOffer> {
  const now = new Date(context.now);
  return {
    ...project(WalletOffer, offer),
    ...renderCommonFields(offer, now, installments),
    return_url: buildReturnUrl(offer, now),
    merchant: renderMerchant(offer, deps.merchants, context),
    creditor: toCreditor(deps),
  };
}

/**
 * Renders the offer for everyone who has its link, without data about the customer. The caller has awaited `merchants.waitUntilCurrent()`.
 */
export function renderOfferForPublic(offer: OfferRow, merchants: Merchants, context: RenderContext) {
  const now = new Date(context.now);
  return {
    ...project(PublicOffer, offer),
    ...renderCommonFields(offer, now, offer.installments),
    claimed: offer.claimed_at !== null || offer.phone_hash !== null,
    merchant: renderMerchant(offer, merchants, context),
    return_url: buildReturnUrl(offer, now),
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
