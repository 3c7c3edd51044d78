import { FieldFault } from './fields.ts';
import type { Kind } from './kinds.ts';

export type Checked = { value: Record<string, unknown> } | { faults: string[] };

/** Reads a record field by field and tells every fault of it. */
export function checkRecord(kind: Kind, record: Record<string, unknown>): Checked {
  const value: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [name, read] of Object.entries(kind.fields)) {
    try {
      value[name] = read(record[name]);
    } catch (error) {
      if (!(error instanceof FieldFault)) throw error;
      faults.push(`${name}: ${error.message}`);
    }
  }
  for (const name of Object.keys(record)) {
    if (!Object.hasOwn(kind.fields, name)) faults.push(`${name}: is not a known field`);
  }
  return faults.length > 0 ? { faults } : { value };
}
