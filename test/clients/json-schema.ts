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
  readonly #schemasByName: Readonly<Record<string, Schema>>;
  constructor(schemasByName: Readonly<Record<string, Schema>>) {
    this.#schemasByName = schemasByName;
  }

  /** Follows references, and unwraps a union of null and one other variant. */
  resolve(schema: Schema): Schema {
    if (schema.$ref) return this.resolve(this.#schemasByName[schema.$ref.split('/').at(-1)!]!);
    const variants = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
    if (variants.length === 1) {
      const { anyOf: _, ...outer } = schema;
      return { ...this.resolve(variants[0]!), ...outer };
    }
    return schema;
  }
}

export const isNullable = ({ type, anyOf }: Schema): boolean =>
  (Array.isArray(type) && type.includes('null')) || (anyOf ?? []).some((variant) => variant.type === 'null');

/** Returns the type of the schema, ignoring `null`. */
export const findTypeName = ({ type }: Schema): string | undefined =>
  Array.isArray(type) ? type.find((name) => name !== 'null') : type;

/** Lists the alternatives of a union of objects, or the object itself. */
export const listVariants = (schema: Schema, schemas: Schemas): Schema[] =>
  schema.anyOf && !schema.properties ? schema.anyOf.map((variant) => schemas.resolve(variant)) : [schema];
