import { type Static, type TObject, type TProperties, Type } from 'typebox';
import { Id, Slug, Timestamp } from '#platform/http/schemas.ts';

// Building blocks for the schemas of events.

export const day = (description: string) => Type.String({ format: 'date', description });
export const amount = (description: string) => Type.Number({ description, examples: [51.1] });
export const instant = (description: string) => Timestamp({ description });
export const id = (prefix: string, description: string) => Id(prefix, { description });
export const HASH_PATTERN = '^[0-9A-Za-z]{22}$';
export const hash = () => Type.String({ pattern: HASH_PATTERN, description: 'The purchase.' });
export const slug = () => Slug({ description: 'Slug of the merchant.' });
export const endToEndId = (description: string) =>
  Type.String({ pattern: '^[0-9A-Za-z]{1,64}$', description });
export const EXAMPLE_INSTANT = '2026-11-15T12:00:00.000Z';

export const EXAMPLE_HASH = '3kTMd9vR2xYb7LqWn0PzAh';

/** Declares an event type. The compiler and a test check that the example matches the schema. */
export const defineEvent = <P extends TProperties>(
  description: string,
  properties: P,
  example: Static<TObject<P>>,
): TObject<P> => Type.Object(properties, { description, examples: [example] });
