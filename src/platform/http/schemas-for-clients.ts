type Json = Record<string, unknown>;

export const adaptForClients = (schema: Json): Json => expandAlternatives(addEnumType(schema));

/** Without a `type`, generators declare the values of an enum as unknown. */
function addEnumType(schema: Json): Json {
  const { enum: values, type } = schema;
  const isUntyped = Array.isArray(values) && type === undefined;
  return isUntyped && values.every((value) => typeof value === 'string')
    ? { type: 'string', ...schema }
    : schema;
}

/** Client generators do not understand `anyOf: [{required: [a]}, {required: [b]}]` beside properties, so it is written out. */
function expandAlternatives(schema: Json): Json {
  const { anyOf, description, examples, ...base } = schema as Json & {
    anyOf?: Array<{ required?: string[] }>;
    required?: string[];
  };
  if (!base.properties || !anyOf) return schema;
  return {
    ...(description !== undefined && { description }),
    ...(examples !== undefined && { examples }),
    anyOf: anyOf.map(({ required = [] }) => ({
      ...base,
      required: [...(base.required ?? []), ...required],
    })),
  };
}
