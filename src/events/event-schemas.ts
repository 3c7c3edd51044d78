import { type TObject, type TProperties, Type } from 'typebox';
import { findExample } from '#platform/http/openapi-components.ts';
import { Id, IdOrNull, Slug, TextOrNull, Timestamp } from '#platform/http/schemas.ts';

// Building blocks for the schemas of events.

export const Day = (description: string, example: string) =>
  Type.String({ format: 'date', description, examples: [example] });
export const Amount = (description: string, example = 51.1) =>
  Type.Number({ description, examples: [example] });
export const Integer = (description: string, example: number) =>
  Type.Integer({ description, examples: [example] });
export const Instant = (description: string, example = '2026-11-15T12:00:00.000Z') =>
  Timestamp({ description, examples: [example] });
export const IdField = (prefix: string, description: string) => Id(prefix, { description });
export const IdOrNullField = (prefix: string, description: string) =>
  IdOrNull(prefix, { description, examples: [`${prefix}_01kfx3v9e2r4s6t8w0y2a4c6e8`] });
const HASH_OPTIONS = { pattern: '^[0-9A-Za-z]{22}$', examples: ['3kTMd9vR2xYb7LqWn0PzAh'] };
export const CheckoutHash = () => Type.String({ ...HASH_OPTIONS, description: 'The purchase.' });
/** Defines the hash of a purchase, which is null if the record concerns no purchase. */
export const CheckoutHashOrNull = (description: string) => TextOrNull({ ...HASH_OPTIONS, description });
export const MerchantSlug = () =>
  Slug({ description: 'Slug of the merchant.', examples: ['padaria-flor-do-trigo'] });
export const EndToEndId = (description: string) =>
  Type.String({
    pattern: '^[0-9A-Za-z]{1,64}$',
    description,
    examples: ['E1234567820261115120000000000001'],
  });

/** Declares an event type. Its example is composed from the examples of the fields; a test checks that it matches the schema. */
export const defineEvent = <P extends TProperties>(description: string, properties: P): TObject<P> =>
  Type.Object(properties, { description, examples: [findExample({ properties })] });
