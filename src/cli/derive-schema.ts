import type { Format } from './manifest.ts';

export type Schema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  maxLength?: number;
  description?: string;
  default?: unknown;
  examples?: unknown[];
};

export class Schemas {
  readonly #named: Readonly<Record<string, Schema>>;

  constructor(named: Readonly<Record<string, Schema>>) {
    this.#named = named;
  }

  /** Follows references, and takes the variant of a union with null that is not null. */
  resolve(schema: Schema): Schema {
    if (schema.$ref) return this.resolve(this.#named[schema.$ref.split('/').at(-1)!]!);
    const variants = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
    if (variants.length === 1) {
      const { anyOf: _, ...outer } = schema;
      return { ...this.resolve(variants[0]!), ...outer };
    }
    return schema;
  }
}

export const isNullable = ({ type, anyOf }: Schema): boolean =>
  (Array.isArray(type) && type.includes('null')) || (anyOf ?? []).some((one) => one.type === 'null');

export const typeOf = ({ type }: Schema): string | undefined =>
  Array.isArray(type) ? type.find((one) => one !== 'null') : type;

const formatOf = ({ format }: Schema): Format | undefined => {
  if (format === 'reais') return 'reais';
  return format === 'date-time' ? 'instant' : undefined;
};

/** The paths of the fields of a record that fit in a cell, with their formats: `merchant.slug`. */
export function findFields(record: Schema, schemas: Schemas, prefix = ''): Map<string, Format | undefined> {
  const variants =
    record.anyOf && !record.properties ? record.anyOf.map((one) => schemas.resolve(one)) : [record];
  const fields = new Map<string, Format | undefined>();
  for (const { properties = {} } of variants)
    for (const [name, field] of Object.entries(properties)) {
      const schema = schemas.resolve(field);
      const path = `${prefix}${name}`;
      const isRecord = schema.properties !== undefined || (schema.anyOf ?? []).length > 1;
      const isListOfRecords = schema.items && schemas.resolve(schema.items).properties !== undefined;
      if (isRecord)
        for (const [inner, format] of findFields(schema, schemas, `${path}.`)) fields.set(inner, format);
      else if (!isListOfRecords) fields.set(path, formatOf(schema));
    }
  return fields;
}

/** The formats of all fields of a record, including those of its lists: `installments[].amount`. */
export function collectFormats(record: Schema, schemas: Schemas, prefix = ''): Record<string, Format> {
  const formats: Record<string, Format> = {};
  const visit = (schema: Schema, path: string): void => {
    const format = formatOf(schema);
    if (format) formats[path] = format;
    for (const variant of schema.properties ? [] : (schema.anyOf ?? []))
      visit(schemas.resolve(variant), path);
    if (schema.properties) Object.assign(formats, collectFormats(schema, schemas, path && `${path}.`));
    if (schema.items) visit(schemas.resolve(schema.items), `${path}[]`);
  };
  for (const [name, field] of Object.entries(record.properties ?? {}))
    visit(schemas.resolve(field), `${prefix}${name}`);
  for (const variant of record.properties ? [] : (record.anyOf ?? []))
    visit(schemas.resolve(variant), prefix);
  return formats;
}
