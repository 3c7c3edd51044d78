import {
  type Static,
  type TObject,
  type TProperties,
  type TSchema,
  type TSchemaOptions,
  type TString,
  Type,
} from 'typebox';

export const StrictObject = <P extends TProperties>(properties: P, options: TSchemaOptions = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

const toExamples = (example: unknown) => (example === undefined ? {} : { examples: [example] });

/** Declares a field of a response with a description and an optional example. */
export const TextField = (description: string, example?: string): TString =>
  Type.String({ description, ...toExamples(example) });
export const IntegerField = (description: string, example?: number) =>
  Type.Integer({ description, ...toExamples(example) });
export const BooleanField = (description: string) => Type.Boolean({ description });

/** A nullable value in the form of OpenAPI 3.1. */
const nullable =
  <T>(type: 'string' | 'number' | 'integer') =>
  (options: TSchemaOptions = {}) =>
    Type.Unsafe<T | null>({ type: [type, 'null'], ...options });

export const TextOrNull = nullable<string>('string');
export const NumberOrNull = nullable<number>('number');
export const IntegerOrNull = nullable<number>('integer');

/** A nullable object in the form of OpenAPI 3.1. */
export const NullableObject = <P extends TProperties>(properties: P, options: TSchemaOptions = {}) =>
  Type.Unsafe<Static<TObject<P>> | null>({
    ...Type.Object(properties),
    type: ['object', 'null'],
    ...options,
  });

export const ListOf = <S extends TSchema>(item: S, options: TSchemaOptions = {}) =>
  Type.Object({ data: Type.Array(item) }, options);

/** Free text of a request: limited in length, not blank, and without NUL, which PostgreSQL cannot store. */
export const Text = (maxLength: number, options: TSchemaOptions = {}): TString =>
  Type.String({ maxLength, format: 'text', ...options });

export const Timestamp = (options: TSchemaOptions = {}): TString =>
  Type.String({ format: 'date-time', examples: ['2026-11-15T12:00:00.000Z'], ...options });

export const Day = (description: string, options: TSchemaOptions = {}): TString =>
  Type.String({
    format: 'date',
    description: `${description}, in São Paulo.`,
    examples: ['2026-11-17'],
    ...options,
  });

/** A day in a request, from 2000 to 2199. */
export const DayParameter = (description: string): TString =>
  Type.String({ format: 'date', pattern: '^2[01]', description: `${description}, in São Paulo.` });

export const Id = (prefix: string, options: TSchemaOptions = {}): TString =>
  Type.String({ pattern: idPattern(prefix), examples: [`${prefix}_01kfx3v9e2r4s6t8w0y2a4c6e8`], ...options });

export const IdOrNull = (prefix: string, options: TSchemaOptions = {}) =>
  TextOrNull({ pattern: idPattern(prefix), ...options });

export const idPattern = (prefix: string): string => `^${prefix}_[0-9a-z]{26}$`;

export const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

export const Slug = (options: TSchemaOptions = {}): TString =>
  Type.String({ pattern: SLUG.source, ...options });

export const slugParams = (example: string) =>
  Type.Object({ slug: Slug({ description: 'The slug, as returned in lists.', examples: [example] }) });

/** A customer in a URL: the id, or the phone number as people write it. */
export const idOrPhone = (options: TSchemaOptions = {}): TString =>
  Type.String({
    pattern: `${idPattern('cus')}|^\\+?[0-9(][0-9() .-]{6,30}$`,
    examples: ['cus_01kfx3c8gq5v0m7d2h9ynwztb4'],
    ...options,
  });

/** An amount in a response. CSV writes it with two decimals. */
export const Reais = (description: string, options: TSchemaOptions = {}) =>
  Type.Number({ format: 'reais', description: `${description}, in reais.`, ...options });

export const ReaisOrNull = (description: string, options: TSchemaOptions = {}) =>
  NumberOrNull({ format: 'reais', description: `${description}, in reais.`, ...options });
