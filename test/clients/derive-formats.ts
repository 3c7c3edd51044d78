import type { Format } from '../../src/cli/manifest.ts';
import { listVariants, type Schema, type Schemas } from './json-schema.ts';

function findFormat({ format }: Schema): Format | undefined {
  if (format === 'reais') return 'reais';
  return format === 'date-time' ? 'instant' : undefined;
}

/** Returns the paths of the fields that fit in a table cell, with their formats: `merchant.slug`. */
export function findFields(record: Schema, schemas: Schemas, prefix = ''): Map<string, Format | undefined> {
  const fields = new Map<string, Format | undefined>();
  for (const { properties = {} } of listVariants(record, schemas))
    for (const [name, field] of Object.entries(properties)) {
      const schema = schemas.resolve(field);
      const path = `${prefix}${name}`;
      const isRecord = schema.properties !== undefined || (schema.anyOf ?? []).length > 1;
      const isListOfRecords = schema.items && schemas.resolve(schema.items).properties !== undefined;
      if (isRecord)
        for (const [nestedPath, format] of findFields(schema, schemas, `${path}.`))
          fields.set(nestedPath, format);
      else if (!isListOfRecords) fields.set(path, findFormat(schema));
    }
  return fields;
}

/** Returns the formats of all fields of a record, including the fields in its lists: `installments[].amount`. */
export function collectFormats(record: Schema, schemas: Schemas, recordPath = ''): Record<string, Format> {
  const formats: Record<string, Format> = {};
  const visit = (declaredSchema: Schema, path: string): void => {
    const schema = schemas.resolve(declaredSchema);
    const format = findFormat(schema);
    if (format) formats[path] = format;
    for (const variant of schema.properties ? [] : (schema.anyOf ?? [])) visit(variant, path);
    for (const [name, field] of Object.entries(schema.properties ?? {}))
      visit(field, path ? `${path}.${name}` : name);
    if (schema.items) visit(schema.items, `${path}[]`);
  };
  visit(record, recordPath);
  return formats;
}
