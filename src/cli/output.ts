import {
  alignRows,
  formatBold,
  formatInstant,
  layOutTable,
  replaceControlCharacters,
} from '#platform/command-line/command.ts';
import type { Format, Operation } from './manifest.ts';

type Json = Record<string, unknown>;
type Formats = Operation['formats'];

/** Reads the value of a field by its path. `a|b` is the first of the fields that is set. */
export function readField(record: unknown, path: string): unknown {
  for (const alternative of path.split('|')) {
    const value = alternative
      .split('.')
      .reduce<unknown>((parent, name) => (parent as Json | null | undefined)?.[name], record);
    if (value !== undefined && value !== null && value !== '') return value;
  }
  return undefined;
}

function formatValue(value: unknown, format?: Format): string {
  if (value === undefined || value === null || value === '') return '-';
  if (format === 'reais') return (value as number).toFixed(2);
  if (format === 'instant') return formatInstant(value as string);
  if (Array.isArray(value)) return value.map((item) => formatValue(item)).join(', ') || '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

export function formatList({ columns = [], emptyText }: Operation, records: readonly Json[]): string {
  if (records.length === 0) return emptyText ?? 'There are none.';
  const rows = records.map((record) =>
    columns.map(([, path, format]) => formatValue(readField(record, path), format)),
  );
  return layOutTable(
    columns.map(([heading]) => heading),
    rows,
  );
}

/** Replaces `{field}` by the value of the field. */
export const fillText = (text: string, record: Json, formats: Formats = {}): string =>
  text.replaceAll(/\{([^}]+)\}/g, (_, path: string) =>
    replaceControlCharacters(formatValue(readField(record, path), formats[path.split('|')[0]!])),
  );

/** Formats a record as one line per field, then a table for each list of records. Lists inside those lists are only in JSON. */
export function formatRecord(record: Json, formats: Formats = {}): string {
  const lines: Array<readonly [field: string, value: string]> = [];
  const tables: string[] = [];
  const visit = (value: unknown, path: string): void => {
    if (isListOfRecords(value)) tables.push(`${formatBold(path)}\n${formatItems(value, path, formats)}`);
    else if (isRecord(value))
      for (const [name, nestedValue] of Object.entries(value)) visit(nestedValue, `${path}.${name}`);
    else lines.push([path, replaceControlCharacters(formatValue(value, formats[path]))]);
  };
  for (const [name, value] of Object.entries(record)) visit(value, name);
  return [...(lines.length > 0 ? [alignRows(lines)] : []), ...tables].join('\n\n');
}

function formatItems(items: readonly Json[], path: string, formats: NonNullable<Formats>): string {
  const flatItems = items.map((item) => flatten(item));
  const isCell = (value: unknown) => value !== null && value !== '' && !Array.isArray(value);
  const fieldNames = [...new Set(flatItems.flatMap((item) => Object.keys(item)))].filter((name) =>
    flatItems.some((item) => isCell(item[name])),
  );
  return layOutTable(
    fieldNames.map((name) => name.replaceAll(/[._]/g, ' ').toUpperCase()),
    flatItems.map((item) => fieldNames.map((name) => formatValue(item[name], formats[`${path}[].${name}`]))),
  );
}

function flatten(record: Json, prefix = ''): Json {
  return Object.assign(
    {},
    ...Object.entries(record).map(([name, value]) =>
      isRecord(value) ? flatten(value, `${prefix}${name}.`) : { [`${prefix}${name}`]: value },
    ),
  );
}

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isListOfRecords = (value: unknown): value is Json[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRecord);
