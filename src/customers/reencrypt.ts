import type { Db } from '#platform/db.ts';
import type { Vault } from '#platform/vault.ts';
import { openBirthDate, openCpf, sealPerson } from './create-customer.ts';
import { countSealedCpfs, listSealedCpfs, lockSealed, updateSealed } from './store.ts';
import { listSigningKeys, lockSigningKeys, updateSealedKey } from './tokens/store.ts';

const AT_ONCE = 200;

/**
 * Seals with the first of DATA_KEYS what is sealed with another, a few customers at a time, so that it can run beside the
 * service and be broken off at any point. `all` also does those that have the first key: their keyed hashes are made anew,
 * as a new LOOKUP_KEY needs.
 */
export async function reencrypt(
  db: Db,
  vault: Vault,
  options: { all: boolean; onProgress: (done: number, total: number) => void },
): Promise<{ customers: number; keys: number }> {
  const { all, onProgress } = options;
  const total = await countSealedCpfs(db, vault.version, all);
  let customers = 0;
  let afterId = '';
  for (;;) {
    const batch = await db.transaction(async (tx) => {
      const ids = await listSealedCpfs(tx, { afterId, version: vault.version, all, limit: AT_ONCE });
      for (const id of ids) {
        const row = await lockSealed(tx, id);
        const person = { name: row.name, cpf: openCpf(vault, row), birthDate: openBirthDate(vault, row) };
        await updateSealed(tx, { id, ...sealPerson(vault, id, person) });
      }
      return ids;
    });
    if (batch.length === 0) return { customers, keys: await reencryptSigningKeys(db, vault) };
    customers += batch.length;
    afterId = batch.at(-1)!;
    onProgress(customers, total);
  }
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
