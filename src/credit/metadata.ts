import { Type } from 'typebox';

/** What PostgreSQL can store as JSON: no NUL, no lone surrogate. */
const STORABLE_TEXT = '^[^\\u0000\\uD800-\\uDFFF]*$';

/** A merchant's own data about an offer: texts by name. */
export type OfferMetadata = Readonly<Record<string, string>>;

export const Metadata = (description: string) =>
  Type.Unsafe<OfferMetadata>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description,
    examples: [{ cart: '7781' }],
  });

export const MetadataInput = Type.Unsafe<OfferMetadata>({
  type: 'object',
  maxProperties: 20,
  propertyNames: { minLength: 1, maxLength: 40, pattern: STORABLE_TEXT },
  additionalProperties: { type: 'string', maxLength: 500, pattern: STORABLE_TEXT },
  description:
    'Your own data: up to 20 texts of at most 500 characters, with names of at most 40. It is returned to you with the offer, its ' +
    'purchase and their events, but never to customers. Do not put personal data into it.',
  examples: [{ cart: '7781' }],
});
