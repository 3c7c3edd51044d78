import { customersTransaction } from '#platform/database/customer-transaction.ts';
import type { Db } from '#platform/database/db.ts';
import { beginLookupKeyChange, endLookupKeyChange, retireOldKeys } from '#platform/privacy/key-checks.ts';
import { type PersonalData, resealTable } from '#platform/privacy/personal-data.ts';
import type { Vault } from '#platform/vault.ts';
import { sealPerson } from './create-customer.ts';
import { NO_HASH, openIdentity } from './people.ts';
import { countSealed, listSealed, lockPerson, updateHashes, updatePerson } from './store.ts';
import { listSigningKeys, lockSigningKeys, updateSealedKey } from './tokens/store.ts';

const REENCRYPT_BATCH_SIZE = 200;

/**
 * Reencrypts with the first of DATA_KEYS what is encrypted with another, in small batches, so that it can run beside the service
 * and be interrupted at any point. `all` also processes rows of the first key: their keyed hashes are recomputed, as a new
 * LOOKUP_KEY needs. Other tables with personal data follow. At the end the other keys are recorded as no longer needed.
 */
export async function reencrypt(
  db: Db,
  vault: Vault,
  options: {
    all: boolean;
    personalData: readonly PersonalData[];
    onProgress: (done: number, total: number) => void;
  },
): Promise<{ customers: number; keys: number; others: number }> {
  const { all, onProgress } = options;
  if (all) await beginLookupKeyChange(db, vault);
  const version = vault.packedVersion;
  const total = await countSealed(db, version, all);
  let customers = 0;
  let afterId = '';
  for (;;) {
    const batch = await listSealed(db, { afterId, version, all, limit: REENCRYPT_BATCH_SIZE });
    if (batch.length === 0) break;
    await customersTransaction(db, batch, async (tx) => {
      for (const id of batch) {
        const row = (await lockPerson(tx, id))!;
        const sealed = sealPerson(vault, id, openIdentity(vault, row));
        // Erased customers have no hashes.
        if (row.erased_at) await updatePerson(tx, { ...sealed, phoneHash: NO_HASH, tokens: [] });
        else {
          await updateHashes(tx, sealed, row.phone_hash);
          await updatePerson(tx, sealed);
        }
      }
    });
    customers += batch.length;
    afterId = batch.at(-1)!;
    onProgress(customers, total);
  }
  let others = 0;
  for (const { reseal } of options.personalData.flatMap(({ tables }) => Object.values(tables ?? {})))
    if (reseal) others += await resealTable(db, vault, reseal, all);
  const keys = await reencryptSigningKeys(db, vault);
  if (all) await endLookupKeyChange(db, vault);
  await retireOldKeys(db, vault);
  return { customers, keys, others };
}

async function reencryptSigningKeys(db: Db, vault: Vault): Promise<number> {
  return db.transaction(async (tx) => {
    await lockSigningKeys(tx);
    const old = (await listSigningKeys(tx)).filter((key) => key.private_key_version !== vault.version);
    for (const key of old) {
      const sealed = { bytes: key.private_sealed, version: key.private_key_version };
      await updateSealedKey(tx, key.kid, vault.seal(vault.open(sealed, key.kid), key.kid));
    }
    return old.length;
  });
}
