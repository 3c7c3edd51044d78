import { Type } from 'typebox';
import { Id, Slug, StrictObject, Text, TextOrNull } from '#platform/http/schemas.ts';
import { randomBase62 } from '#platform/ids.ts';

/** Generates the public id of a purchase. 22 characters of base62 hold 131 bits, which cannot be guessed. */
export const generateCheckoutHash = (): string => randomBase62(22);

export const CHECKOUT_HASH_PATTERN = '^[0-9A-Za-z]{22}$';

/** Text that PostgreSQL can store as JSON: without NUL and lone surrogates. */
const STORABLE_TEXT = '^[^\\u0000\\uD800-\\uDFFF]*$';

/** A merchant's own data about an offer: a map from names to texts. */
export type OfferMetadata = Readonly<Record<string, string>>;

export const OfferMetadataSchema = (description: string) =>
  Type.Unsafe<OfferMetadata>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description,
    examples: [{ cart: '7781' }],
  });

export const OfferMetadataInput = Type.Unsafe<OfferMetadata>({
  type: 'object',
  maxProperties: 20,
  propertyNames: { minLength: 1, maxLength: 40, pattern: STORABLE_TEXT },
  additionalProperties: { type: 'string', maxLength: 500, pattern: STORABLE_TEXT },
  description:
    'Your own data: up to 20 texts of at most 500 characters, with names of at most 40. It is returned to you with the offer, its ' +
    'purchase and their events, but never to customers. Do not put personal data into it.',
  examples: [{ cart: '7781' }],
});

/** The member of the merchant who created a record; null if the merchant's own server or the operator did. */
export type RecordCreator = { id: string; name: string } | null;

export const RecordCreatorSchema = () =>
  Type.Unsafe<RecordCreator>({
    anyOf: [Type.Object({ id: Id('mbr'), name: ExampleText('Téo Nogueira') }), { type: 'null' }],
    description:
      'The member of the merchant who created this record; null if the merchant’s own server or the operator did.',
  });

export const ExampleText = (text: string) => Type.String({ examples: [text] });

export const CheckoutHash = (description: string) =>
  Type.String({ pattern: CHECKOUT_HASH_PATTERN, description, examples: ['3kTz9QmVb7LxWc2RfYp8Hd'] });

const merchantFields = {
  slug: Slug({ examples: ['farmacia-sao-jocundo'] }),
  name: ExampleText('Farmácia São Jocundo'),
};
export const MerchantNameAndSlug = Type.Object(merchantFields);
export const MerchantWithLogo = Type.Object({
  ...merchantFields,
  logo_url: TextOrNull({ examples: ['https://api.semana.example/media/logos/farmacia-sao-jocundo.svg'] }),
});

export const ReasonRequest = (id: string, example: string) =>
  StrictObject(
    { reason: Text(200, { description: 'The reason.' }) },
    { $id: id, examples: [{ reason: example }] },
  );
