import { parseReais } from '#core/money.ts';
import { mayLeadBack } from '#partners';
import { faultsIn, validationFailed } from '#platform/problem.ts';
import type { Mode } from '#platform/settings.ts';
import { OFFER_LIFE_MS } from '../acceptance.ts';
import { itemsMismatch, returnUrlNotAllowed } from '../problems.ts';
import type { QuoteRequest } from '../purchases/quote.ts';
import type { OfferItem } from './store.ts';

/** The merchant's request; names and units as on the wire. */
export type OfferOrder = QuoteRequest & {
  phone?: string;
  description?: string;
  reference?: string;
  items?: ReadonlyArray<{ name: string; quantity: number; amount: number }>;
  return_url?: string;
  expires_in?: number;
};

const AT_THE_COUNTER_S = 900;
const IN_A_SHOP_S = 3_600;

/** Where offers of a key may lead back to. */
export type ReturnRules = { readonly returnOrigins: readonly string[]; readonly mode: Mode };

/** What is offered, beside the purchase itself. */
export function readOrder(order: OfferOrder, rules: ReturnRules) {
  return {
    phone: order.phone ?? null,
    reference: order.reference?.trim() ?? null,
    description: order.description?.trim() ?? null,
    items: readItems(order),
    returnUrl: order.return_url === undefined ? null : readReturnUrl(order.return_url, rules),
    lifeMs: lifeOf(order),
  };
}
export type OfferContent = ReturnType<typeof readOrder>;

function lifeOf({ phone, return_url, expires_in }: OfferOrder): number {
  if (phone === undefined)
    return (expires_in ?? (return_url === undefined ? AT_THE_COUNTER_S : IN_A_SHOP_S)) * 1_000;
  if (expires_in === undefined || expires_in * 1_000 === OFFER_LIFE_MS) return OFFER_LIFE_MS;
  const message = {
    en: 'an offer to a phone holds for two days (CDC art. 54-B)',
    pt: 'uma oferta a um telefone vale por dois dias (CDC art. 54-B)',
  };
  throw validationFailed([{ pointer: '/expires_in', message }], faultsIn('body', 1));
}

function readItems({ amount, items = [] }: OfferOrder): OfferItem[] {
  const read = items.map((item) => ({
    name: item.name.trim(),
    quantity: item.quantity,
    amount_cents: parseReais(item.amount)!,
  }));
  // A hundred amounts are less than 2^53 centavos.
  const total = read.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  if (items.length > 0 && total !== parseReais(amount)) throw itemsMismatch(total, parseReais(amount)!);
  return read;
}

/** As it was given. What other programs might read as another address than we do is refused. */
function readReturnUrl(given: string, { returnOrigins, mode }: ReturnRules): string {
  if (/[\s\\\p{Cc}]/u.test(given) || !URL.canParse(given)) throw returnUrlNotAllowed('malformed');
  const url = new URL(given);
  if (!mayLeadBack(url, mode)) throw returnUrlNotAllowed('insecure');
  if (url.username !== '' || url.password !== '') throw returnUrlNotAllowed('credentials');
  if (given.includes('#')) throw returnUrlNotAllowed('fragment');
  if (!returnOrigins.includes(url.origin)) throw returnUrlNotAllowed('origin');
  return given;
}
