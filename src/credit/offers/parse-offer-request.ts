import { parseReais } from '#core/values/money.ts';
import { isAllowedReturnUrl } from '#partners';
import { describeErrorCount, validationFailed } from '#platform/problem.ts';
import type { Mode } from '#platform/settings.ts';
import { OFFER_TTL_MS } from '../acceptance.ts';
import type { OfferMetadata } from '../metadata.ts';
import { itemsMismatch, returnUrlNotAllowed } from '../problems.ts';
import type { QuoteRequest } from '../purchases/quote.ts';
import type { OfferItem } from './store.ts';

/** The request of the merchant, with the names and units of the API. */
export type OfferRequest = QuoteRequest & {
  phone?: string;
  description?: string;
  reference?: string;
  metadata?: OfferMetadata;
  items?: ReadonlyArray<{ name: string; quantity: number; amount: number }>;
  return_url?: string;
  expires_in?: number;
};

/** Long enough for a customer at the counter to claim the offer. */
const DEFAULT_TTL_S = 900;
/** Online shops send a return URL, and their customers may take longer. */
const DEFAULT_TTL_WITH_RETURN_URL_S = 3_600;

/** Decides which return URLs the offers of an API key may have. */
export type ReturnUrlRules = { readonly returnOrigins: readonly string[]; readonly mode: Mode };

/** Parses the parts of the request that are not part of the quote. Throws a problem if one is invalid. */
export function parseOfferRequest(request: OfferRequest, rules: ReturnUrlRules) {
  return {
    phone: request.phone ?? null,
    reference: request.reference?.trim() ?? null,
    description: request.description?.trim() ?? null,
    items: parseItems(request),
    metadata: request.metadata ?? {},
    returnUrl: request.return_url === undefined ? null : parseReturnUrl(request.return_url, rules),
    ttlMs: computeTtlMs(request),
  };
}
export type OfferContent = ReturnType<typeof parseOfferRequest>;

function computeTtlMs({ phone, return_url, expires_in }: OfferRequest): number {
  if (phone === undefined)
    return (expires_in ?? (return_url === undefined ? DEFAULT_TTL_S : DEFAULT_TTL_WITH_RETURN_URL_S)) * 1_000;
  if (expires_in === undefined || expires_in * 1_000 === OFFER_TTL_MS) return OFFER_TTL_MS;
  const message = {
    en: 'an offer to a phone is valid for two days (CDC art. 54-B)',
    pt: 'uma oferta a um telefone vale por dois dias (CDC art. 54-B)',
  };
  throw validationFailed([{ pointer: '/expires_in', message }], describeErrorCount('body', 1));
}

function parseItems({ amount, items = [] }: OfferRequest): OfferItem[] {
  const parsedItems = items.map((item) => ({
    name: item.name.trim(),
    quantity: item.quantity,
    amount_cents: parseReais(item.amount)!,
  }));
  // The sum of 100 amounts is below 2^53 centavos.
  const total = parsedItems.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  if (items.length > 0 && total !== parseReais(amount)) throw itemsMismatch(total, parseReais(amount)!);
  return parsedItems;
}

/** Returns the URL unchanged. Rejects URLs that other programs might parse differently. */
function parseReturnUrl(text: string, { returnOrigins, mode }: ReturnUrlRules): string {
  if (/[\s\\\p{Cc}]/u.test(text) || !URL.canParse(text)) throw returnUrlNotAllowed('malformed');
  const url = new URL(text);
  if (!isAllowedReturnUrl(url, mode)) throw returnUrlNotAllowed('insecure');
  if (url.username !== '' || url.password !== '') throw returnUrlNotAllowed('credentials');
  if (text.includes('#')) throw returnUrlNotAllowed('fragment');
  if (!returnOrigins.includes(url.origin)) throw returnUrlNotAllowed('origin', returnOrigins);
  return text;
}
