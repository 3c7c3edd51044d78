import { type Queryable, sql } from '../database/db.ts';
import type { KeyCheck, Vault } from '../vault.ts';

/** The database was written with other keys than those of the settings. */
export class WrongKeys extends Error {}

type Recorded = KeyCheck & { state: 'in_use' | 'changing' | 'retired' };

/**
 * Refuses keys other than those this database was written with: with another LOOKUP_KEY everybody would be unknown, and could
 * register again. Writes nothing. A database that has no check values yet is fine, also one that is still empty.
 * `newLookupKey`: for the command that changes LOOKUP_KEY.
 */
export async function refuseWrongKeys(
  db: Queryable,
  vault: Vault,
  { newLookupKey = false }: { newLookupKey?: boolean } = {},
): Promise<void> {
  refuseDifferent(await listRecorded(db), vault, newLookupKey);
}

/** The same, and records the check values of new keys. Called at every start. */
export async function recordKeys(db: Queryable, vault: Vault): Promise<void> {
  const recorded = await listRecorded(db);
  refuseDifferent(recorded, vault, false);
  const settled = new Set(
    recorded.filter(({ state }) => state === 'in_use').map(({ setting, version }) => `${setting} ${version}`),
  );
  const isWanted = ({ setting, version }: KeyCheck) =>
    !settled.has(`${setting} ${version}`) &&
    // A retired key that is still listed is recorded again only if it is the one that encrypts.
    (version === vault.version ||
      !recorded.some((one) => one.setting === setting && one.version === version));
  const fresh = vault.checks().filter(isWanted);
  if (fresh.length === 0) return;
  await db.run(sql`
    insert into key_checks (setting, version, value)
    select setting, version, value
    from unnest(${fresh.map(({ setting }) => setting)}::text[], ${fresh.map(({ version }) => version)}::int[],
                ${fresh.map(({ value }) => value)}::bytea[]) as fresh (setting, version, value)
    on conflict (setting, version) do update set state = 'in_use' where key_checks.value = excluded.value`);
  // Another node may have been first, with another key.
  refuseDifferent(await listRecorded(db), vault, false);
}

/** Called before hashes of the old LOOKUP_KEY are replaced. Until `endLookupKeyChange` no node starts, with either key. */
export async function beginLookupKeyChange(db: Queryable, vault: Vault): Promise<void> {
  const { setting, version, value } = lookupCheckOf(vault);
  await db.run(sql`
    update key_checks set value = ${value}, state = 'changing'
    where setting = ${setting} and version = ${version} and value <> ${value}`);
}

export async function endLookupKeyChange(db: Queryable, vault: Vault): Promise<void> {
  const { setting, version, value } = lookupCheckOf(vault);
  await db.run(sql`
    update key_checks set state = 'in_use'
    where setting = ${setting} and version = ${version} and value = ${value}`);
}

/** Called when everything is encrypted with the first of DATA_KEYS: the others may then be removed. */
export async function retireOldKeys(db: Queryable, vault: Vault): Promise<void> {
  await db.run(sql`
    update key_checks set state = 'retired'
    where setting = 'DATA_KEYS' and version <> ${vault.version} and state <> 'retired'`);
}

const lookupCheckOf = (vault: Vault): KeyCheck =>
  vault.checks().find(({ setting }) => setting === 'LOOKUP_KEY')!;

async function listRecorded(db: Queryable): Promise<Recorded[]> {
  const found = await db.row<{ exists: boolean }>(
    sql`select to_regclass('key_checks') is not null as exists`,
  );
  if (!found!.exists) return [];
  return db.rows<Recorded>(
    sql`select setting, version, value, state from key_checks order by setting, version`,
  );
}

function refuseDifferent(recorded: readonly Recorded[], vault: Vault, newLookupKey: boolean): void {
  const held = vault.checks();
  const faults = recorded.flatMap((one) => {
    const own = held.find(({ setting, version }) => setting === one.setting && version === one.version);
    if (one.setting === 'LOOKUP_KEY') return newLookupKey ? [] : faultOfLookupKey(one, own!);
    if (!own && one.state === 'retired') return [];
    if (!own)
      return `DATA_KEYS lacks version ${one.version}, with which personal data is sealed. Put it back; after 'semana customer reencrypt' it may go.`;
    return own.value.equals(one.value)
      ? []
      : `DATA_KEYS has another key as version ${one.version} than the one personal data is sealed with. Put that one back; a new key gets a version of its own.`;
  });
  if (faults.length > 0) throw new WrongKeys(faults.join('\n'));
}

function faultOfLookupKey({ state, value }: Recorded, own: KeyCheck): string[] {
  if (!own.value.equals(value))
    return [
      'LOOKUP_KEY is not the one this database was written with: nobody would be found by phone or CPF. Put that one back. ' +
        `To change it, see 'Rotating keys' in docs/operating.md.`,
    ];
  if (state === 'changing')
    return [
      `A change of LOOKUP_KEY was begun and not ended. Run 'semana customer reencrypt --all' with it to its end.`,
    ];
  return [];
}
