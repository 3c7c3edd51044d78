import { type TObject, Type } from 'typebox';
import { idPattern, TextOrNull } from '#platform/http/schemas.ts';
import { descriptionOf, EVENT_CATALOG, type EventType, exampleOf, OFFER } from './catalog.ts';
import { slug } from './event-parts.ts';

/** Partners with a key of this scope get it: see audience.ts. */
export type AudienceScope = 'public' | 'wallet' | 'merchant';

const SCOPES: Record<string, readonly AudienceScope[]> = {
  lead: ['public'],
  customer: ['wallet'],
  checkout: ['wallet', 'merchant'],
  installment: ['wallet', 'merchant'],
  pix: ['wallet', 'merchant'],
  autopay: ['wallet', 'merchant'],
  cashback: ['wallet'],
  referral: ['wallet'],
  offer: ['wallet', 'merchant'],
  credit: ['wallet', 'merchant'],
  payout: ['merchant'],
};

export const scopesOf = (type: EventType): readonly AudienceScope[] => SCOPES[type.split('.')[0]!]!;

/** Whether it is numbered in the sequence of a purchase. Such an event also carries the fields of `CONTEXT`. */
export const isOfPurchase = (type: EventType): boolean =>
  'checkout_hash' in EVENT_CATALOG[type].properties && scopesOf(type).includes('merchant');

const CONTEXT = {
  merchant: slug(),
  offer_id: TextOrNull({
    pattern: idPattern('off'),
    description: 'The offer the purchase came from, if any.',
  }),
  reference: TextOrNull({ description: 'What the merchant calls that offer.' }),
};

/** The data of an event as partners get it. */
export function toldSchemaOf(type: EventType): TObject {
  const own = EVENT_CATALOG[type];
  if (!isOfPurchase(type)) return own;
  return Type.Object(
    { ...CONTEXT, ...own.properties },
    { description: descriptionOf(type), examples: [toldExampleOf(type)] },
  );
}

export function toldExampleOf(type: EventType): object {
  const { merchant, offer_id, reference } = OFFER;
  return { ...(isOfPurchase(type) && { merchant, offer_id, reference }), ...exampleOf(type) };
}
