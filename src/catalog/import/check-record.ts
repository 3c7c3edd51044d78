import { type Field, FieldFault } from './fields.ts';
import type { Kind } from './kinds.ts';

export type Checked = { value: Record<string, unknown> } | { faults: string[] };

/** Reads a record field by field and tells every fault of it. */
export function checkRecord(kind: Kind, record: Record<string, unknown>): Checked {
  const value: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [name, field] of Object.entries(kind.fields)) {
    const read = readField(field, record[name]);
    if ('fault' in read) faults.push(`${name}: ${read.fault}`);
    else value[name] = read.value;
  }
  for (const name of Object.keys(record)) {
    if (!Object.hasOwn(kind.fields, name)) faults.push(`${name}: is not a known field`);
  }
  return faults.length > 0 ? { faults } : { value };
}

/** Those that no record can be without. */
export function requiredFields(kind: Kind): string[] {
  const fields = Object.entries(kind.fields);
  return fields.filter(([, field]) => 'fault' in readField(field, undefined)).map(([name]) => name);
}

function readField(field: Field<unknown>, raw: unknown): { value: unknown } | { fault: string } {
  try {
    return { value: field(raw) };
  } catch (error) {
    if (error instanceof FieldFault) return { fault: error.message };
    throw error;
  }
}
