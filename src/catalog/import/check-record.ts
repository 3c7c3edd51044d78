import type { Bilingual } from '#core/bilingual.ts';
import { type Field, FieldFault, type RecordFault } from './fields.ts';
import type { ImportKind } from './kinds.ts';
import type { Columns } from './read-records.ts';

const UNKNOWN_FIELD: Bilingual = { en: 'is not a known field', pt: 'não é um campo conhecido' };

export type Checked = { value: Record<string, unknown> } | { faults: RecordFault[] };

/**
 * Reads a record field by field and returns all its faults. In a new record an absent field takes its default, or is a fault
 * if it has none; with `isNew` false it is left out.
 */
export function checkRecord(kind: ImportKind, record: Record<string, unknown>, isNew = true): Checked {
  const value: Record<string, unknown> = {};
  const faults: RecordFault[] = [];
  for (const [name, field] of Object.entries(kind.fields)) {
    if (!isNew && !Object.hasOwn(record, name)) continue;
    const read = readField(field, record[name]);
    if ('fault' in read) faults.push({ field: name, message: read.fault });
    else value[name] = read.value;
  }
  for (const name of Object.keys(record)) {
    if (!Object.hasOwn(kind.fields, name)) faults.push({ field: name, message: UNKNOWN_FIELD });
  }
  return faults.length > 0 ? { faults } : { value };
}

/** Fields a new record must have. */
export function requiredFields(kind: ImportKind): string[] {
  const fields = Object.entries(kind.fields);
  return fields.filter(([, field]) => 'fault' in readField(field, undefined)).map(([name]) => name);
}

/** What the heading of a file of these records may name. */
export const columnsOf = (kind: ImportKind): Columns => ({
  known: Object.keys(kind.fields),
  key: kind.key,
  required: requiredFields(kind),
});

/** The record's key, or undefined when it cannot be read. */
export function readKey({ fields, key }: ImportKind, record: Record<string, unknown>): string | undefined {
  const read = readField(fields[key]!, record[key]);
  return 'value' in read ? (read.value as string) : undefined;
}

function readField(field: Field<unknown>, raw: unknown): { value: unknown } | { fault: Bilingual } {
  try {
    return { value: field(raw) };
  } catch (error) {
    if (error instanceof FieldFault) return { fault: error.text };
    throw error;
  }
}
