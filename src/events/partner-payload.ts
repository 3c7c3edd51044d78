import { type TObject, Type } from 'typebox';
import { withoutMasks } from '#platform/http/masking.ts';
import { IdOrNull, TextOrNull } from '#platform/http/schemas.ts';
import { EVENT_CATALOG, type EventType, getDescription, getExample } from './catalog.ts';
import { IdField, MerchantSlug } from './event-schemas.ts';

/** The scope of the API keys whose partners receive an event: see webhooks/recipients.ts. */
export type RecipientScope = 'public' | 'wallet' | 'merchant';

/** The group is the part of an event type before its dot. */
const SCOPES_BY_GROUP: Record<string, readonly RecipientScope[]> = {
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

export const getScopes = (type: EventType): readonly RecipientScope[] =>
  SCOPES_BY_GROUP[type.replace(/\..*/, '')]!;

/** Whether the event is numbered in the sequence of a purchase. Such an event also has the fields of `PURCHASE_CONTEXT`. */
export const isPurchaseEvent = (type: EventType): boolean =>
  'checkout_hash' in EVENT_CATALOG[type].properties && getScopes(type).includes('merchant');

/** The metadata of an offer, if it has any. */
const METADATA = Type.Optional(
  Type.Record(Type.String(), Type.String(), {
    description: 'The metadata of the offer. Only its merchant receives it.',
  }),
);

const PURCHASE_CONTEXT = {
  merchant: MerchantSlug(),
  offer_id: IdOrNull('off', { description: 'The offer of the purchase, if any.' }),
  reference: TextOrNull({ description: "The merchant's own reference of that offer." }),
  metadata: METADATA,
};

const WALLET_CONTEXT = {
  customer_id: Type.Optional(IdField('cus', 'The customer. Only keys of the scope `wallet` receive it.')),
};
const EXAMPLE_CUSTOMER_ID = 'cus_01kfx3v9e2r4s6t8w0y2a4c6e8';

/** Whether partners with the scope `wallet` receive the event, with the customer's id. */
const isWalletEvent = (type: EventType): boolean => getScopes(type).includes('wallet');

/** Builds the schema of an event's data as partners receive it. */
export const buildPartnerSchema = (type: EventType): TObject =>
  Type.Object(
    {
      ...(isWalletEvent(type) && WALLET_CONTEXT),
      ...(isPurchaseEvent(type) && PURCHASE_CONTEXT),
      ...(type.startsWith('offer.') && { metadata: METADATA }),
      ...withoutMasks(EVENT_CATALOG[type].properties),
    },
    { description: getDescription(type), examples: [buildPartnerExample(type)] },
  );

export function buildPartnerExample(type: EventType): object {
  const { merchant, offer_id, reference } = getExample('offer.created');
  return {
    ...(isWalletEvent(type) && { customer_id: EXAMPLE_CUSTOMER_ID }),
    ...(isPurchaseEvent(type) && { merchant, offer_id, reference }),
    ...getExample(type),
  };
}
