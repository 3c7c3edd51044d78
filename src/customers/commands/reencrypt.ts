import { type Command, CommandError } from '#platform/command-line/command.ts';
import { ProgressBar } from '#platform/command-line/progress-bar.ts';
import type { Db } from '#platform/database/db.ts';
import {
  finishLookupKeyChange,
  retireOldKeys,
  startLookupKeyChange,
} from '#platform/database/installation.ts';
import { listNodesWithoutKey } from '#platform/jobs/job-overview.ts';
import { createCommandAuditContext, recordAuditEntry } from '#platform/privacy/audit-trail.ts';
import { type PersonalData, reencryptTable } from '#platform/privacy/personal-data.ts';
import type { Vault } from '#platform/vault.ts';
import { listSigningKeys, lockSigningKeys, updateEncryptedKey } from '../tokens/signing-keys.ts';

export const reencryptCommand = (personalData: () => readonly PersonalData[]): Command => ({
  name: 'reencrypt',
  summary: 'reencrypt personal data with the first key of DATA_KEYS',
  options: {
    all: { help: 'include data that already uses that key: required after a change of LOOKUP_KEY' },
  },
  details:
    'To change the key: add the new key at the end of DATA_KEYS on every node, then move it to the front on every node, ' +
    'then run this command, then remove the old key. Can run while the service runs, and can be repeated.',
  allowsNewLookupKey: (args) => args.has('all'),
  async run(context, args) {
    const { db, print, vault } = context;
    const nodesWithoutKey = await listNodesWithoutKey(db, vault.version);
    if (nodesWithoutKey.length > 0)
      throw new CommandError(
        `These running nodes do not have version ${vault.version} of DATA_KEYS and could not read the data: ${nodesWithoutKey.join(', ')}. ` +
          'Add the key to DATA_KEYS of every node, restart them, and run this command again. Nothing was changed.',
      );
    const bar = new ProgressBar('Encrypting');
    const rowCounts = await reencrypt(db, vault, {
      all: args.has('all'),
      personalData: personalData(),
      onProgress: (doneTables, totalTables) =>
        bar.show(doneTables / totalTables, `${doneTables} of ${totalTables} tables`),
    });
    bar.clear();
    const auditContext = createCommandAuditContext(context, 'reencrypt');
    const dataKey = { kind: 'data_key', id: String(vault.version) };
    const auditedFields = { key_version: vault.version, rows: rowCounts };
    await db.transaction((tx) => recordAuditEntry(tx, auditContext, dataKey, auditedFields));
    const countTexts = Object.entries(rowCounts).map(
      ([table, count]) => `${count} ${table.replaceAll('_', ' ')}`,
    );
    print(`Reencrypted ${countTexts.join(', ') || 'nothing: everything uses this key'}.`);
  },
});

type ReencryptOptions = {
  /** Also reencrypts rows that use the first key, and so recomputes their keyed hashes, as a new LOOKUP_KEY requires. */
  all: boolean;
  personalData: readonly PersonalData[];
  onProgress: (doneTables: number, totalTables: number) => void;
};

/**
 * Reencrypts data of older keys with the first key of DATA_KEYS. Works in small batches, so that it can run while the service runs
 * and can be interrupted. At the end the other keys are recorded as retired. Returns the number of reencrypted rows by table.
 */
export async function reencrypt(db: Db, vault: Vault, { all, personalData, onProgress }: ReencryptOptions) {
  if (all) await startLookupKeyChange(db, vault);
  const tables = personalData.flatMap((data) => Object.entries(data.tables ?? {}));
  const rowCounts: Record<string, number> = {};
  for (const [i, [name, table]] of tables.entries()) {
    const count = table.reencrypt
      ? await reencryptTable(db, vault, table.reencrypt, { includesCurrent: all })
      : 0;
    if (count > 0) rowCounts[name] = count;
    onProgress(i + 1, tables.length);
  }
  const keyCount = await reencryptSigningKeys(db, vault);
  if (keyCount > 0) rowCounts.signing_keys = keyCount;
  if (all) await finishLookupKeyChange(db, vault);
  await retireOldKeys(db, vault);
  return rowCounts;
}

async function reencryptSigningKeys(db: Db, vault: Vault): Promise<number> {
  return db.transaction(async (tx) => {
    await lockSigningKeys(tx);
    const oldKeys = (await listSigningKeys(tx)).filter((key) => key.private_key_version !== vault.version);
    for (const key of oldKeys) {
      const ciphertext = { bytes: key.private_sealed, version: key.private_key_version };
      await updateEncryptedKey(tx, key.kid, vault.encrypt(vault.decrypt(ciphertext, key.kid), key.kid));
    }
    return oldKeys.length;
  });
}
