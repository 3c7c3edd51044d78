import type { Db } from '#platform/database/db.ts';
import { finishLookupKeyChange, retireOldKeys, startLookupKeyChange } from '#platform/privacy/key-checks.ts';
import { type PersonalData, reencryptTable } from '#platform/privacy/personal-data.ts';
import type { Vault } from '#platform/vault.ts';
import { listSigningKeys, lockSigningKeys, updateEncryptedKey } from './tokens/store.ts';

type ReencryptOptions = {
  /** Includes rows that use the first key: their keyed hashes are recomputed, as a new LOOKUP_KEY requires. */
  all: boolean;
  personalData: readonly PersonalData[];
  onProgress: (doneTables: number, tables: number) => void;
};

/**
 * Reencrypts data of older keys with the first key of DATA_KEYS. Works in small batches, so that it can run while the service runs
 * and can be interrupted. At the end the other keys are recorded as retired. Returns the number of rows of each table that had any.
 */
export async function reencrypt(
  db: Db,
  vault: Vault,
  { all, personalData, onProgress }: ReencryptOptions,
): Promise<Record<string, number>> {
  if (all) await startLookupKeyChange(db, vault);
  const tables = personalData.flatMap((data) => Object.entries(data.tables ?? {}));
  const counts: Record<string, number> = {};
  for (const [i, [name, table]] of tables.entries()) {
    const count = table.reencrypt ? await reencryptTable(db, vault, table.reencrypt, all) : 0;
    if (count > 0) counts[name] = count;
    onProgress(i + 1, tables.length);
  }
  const keys = await reencryptSigningKeys(db, vault);
  if (keys > 0) counts['signing_keys'] = keys;
  if (all) await finishLookupKeyChange(db, vault);
  await retireOldKeys(db, vault);
  return counts;
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
