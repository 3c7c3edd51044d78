import type { Tx } from '#platform/database/db.ts';
import { checkRecord } from './check-record.ts';
import { describeViolations } from './fields.ts';
import { KINDS, type KindName } from './kinds.ts';

/** Writes records that must all be valid, such as the demo data. Throws an Error at the first invalid one. */
export async function writeContent(tx: Tx, name: KindName, records: Array<Record<string, unknown>>) {
  const kind = KINDS[name];
  const values = records.map((record, i) => {
    const checked = checkRecord(kind, record, () => 100);
    if ('violations' in checked)
      throw new Error(`${name}, record ${i + 1}: ${describeViolations(checked.violations).en}`);
    return checked.value;
  });
  for (const [i, violation] of await kind.write(tx, values))
    throw new Error(`${name}, record ${i + 1}: ${describeViolations([violation]).en}`);
}
