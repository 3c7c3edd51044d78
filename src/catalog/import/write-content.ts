import type { Tx } from '#platform/database/db.ts';
import { checkRecord } from './check-record.ts';
import { describeFaults } from './fields.ts';
import { KINDS, type KindName } from './kinds.ts';

/** Writes records that must all be valid, such as those we ship; throws at the first that is not. */
export async function writeContent(tx: Tx, name: KindName, records: Array<Record<string, unknown>>) {
  const kind = KINDS[name];
  const values = records.map((record, i) => {
    const checked = checkRecord(kind, record);
    if ('faults' in checked)
      throw new Error(`${name}, record ${i + 1}: ${describeFaults(checked.faults).en}`);
    return checked.value;
  });
  for (const [i, fault] of await kind.write(tx, values))
    throw new Error(`${name}, record ${i + 1}: ${describeFaults([fault]).en}`);
}
