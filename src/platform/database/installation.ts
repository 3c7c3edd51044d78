import type { Mode } from '../settings.ts';
import type { KeyCheck, Vault } from '../vault.ts';
import { type Queryable, sql } from './db.ts';

/** Thrown if the database was set up in the other mode. */
export class WrongModeError extends Error {}

/** Records the mode of a new database. Returns true on the very first start. Nodes that start together wait for the first one. */
export async function claimInstallation(db: Queryable, mode: Mode): Promise<boolean> {
  const insertedCount = await db.run(
    sql`insert into installation (mode) values (${mode}) on conflict do nothing`,
  );
  if (insertedCount === 1) return true;
  await refuseWrongMode(db, mode);
  return false;
}

/** Throws if the database was set up in the other mode. Writes nothing. An empty database, or one without a mode, passes. */
export async function refuseWrongMode(db: Queryable, mode: Mode): Promise<void> {
  if (!(await hasTable(db, 'installation'))) return;
  const installedMode = await db.value<Mode>(sql`select mode from installation`);
  if (installedMode === undefined || installedMode === mode) return;
  throw new WrongModeError(
    `This database was set up in ${installedMode} mode and cannot be used in ${mode} mode. ` +
      'Set SEMANA_MODE, or DATABASE_URL to another database.',
  );
}

const hasTable = async (db: Queryable, name: string): Promise<boolean> =>
  (await db.value<boolean>(sql`select to_regclass(${name}) is not null as exists`))!;

/** Thrown if the database was written with other keys than those in the settings. */
export class WrongKeysError extends Error {}

type RecordedKey = KeyCheck & { state: 'in_use' | 'changing' | 'retired' };

/** Throws if keys differ: with another LOOKUP_KEY all customers would be unknown and could register again. A database without check values passes. */
export async function refuseWrongKeys(
  db: Queryable,
  vault: Vault,
  { allowNewLookupKey = false }: { allowNewLookupKey?: boolean } = {},
): Promise<void> {
  assertKeysMatch(await listRecordedKeys(db), vault, { allowNewLookupKey });
}

/** Like `refuseWrongKeys`, but also records the check values of new keys. Called at every start. */
export async function recordKeyChecks(db: Queryable, vault: Vault): Promise<void> {
  const recordedKeys = await listRecordedKeys(db);
  assertKeysMatch(recordedKeys, vault, { allowNewLookupKey: false });
  const newChecks = vault.computeKeyChecks().filter(({ setting, version }) => {
    const recordedKey = recordedKeys.find((key) => key.setting === setting && key.version === version);
    // A retired key may stay in DATA_KEYS. It is in use again only if it is the one that encrypts.
    return !recordedKey || (recordedKey.state !== 'in_use' && version === vault.version);
  });
  if (newChecks.length === 0) return;
  await db.run(sql`
    insert into key_checks (setting, version, value)
    select setting, version, value
    from unnest(${newChecks.map(({ setting }) => setting)}::text[], ${newChecks.map(({ version }) => version)}::int[],
                ${newChecks.map(({ value }) => value)}::bytea[]) as new_checks (setting, version, value)
    on conflict (setting, version) do update set state = 'in_use' where key_checks.value = excluded.value`);
  // Another node may have recorded another key first.
  assertKeysMatch(await listRecordedKeys(db), vault, { allowNewLookupKey: false });
}

/** Call it before hashes of the old LOOKUP_KEY are replaced. No node starts, with either key, until `finishLookupKeyChange`. */
export async function startLookupKeyChange(db: Queryable, vault: Vault): Promise<void> {
  const { setting, version, value } = findLookupCheck(vault);
  await db.run(sql`
    update key_checks set value = ${value}, state = 'changing'
    where setting = ${setting} and version = ${version} and value <> ${value}`);
}

export async function finishLookupKeyChange(db: Queryable, vault: Vault): Promise<void> {
  const { setting, version, value } = findLookupCheck(vault);
  await db.run(sql`
    update key_checks set state = 'in_use'
    where setting = ${setting} and version = ${version} and value = ${value}`);
}

/** Call it when all data is encrypted with the first of DATA_KEYS. The other keys may then be removed. */
export async function retireOldKeys(db: Queryable, vault: Vault): Promise<void> {
  await db.run(sql`
    update key_checks set state = 'retired'
    where setting = 'DATA_KEYS' and version <> ${vault.version} and state <> 'retired'`);
}

const findLookupCheck = (vault: Vault): KeyCheck =>
  vault.computeKeyChecks().find(({ setting }) => setting === 'LOOKUP_KEY')!;

async function listRecordedKeys(db: Queryable): Promise<RecordedKey[]> {
  if (!(await hasTable(db, 'key_checks'))) return [];
  return db.rows(sql`select setting, version, value, state from key_checks order by setting, version`);
}

/** Throws a `WrongKeysError` that names each recorded key that is missing from the settings or differs there. */
function assertKeysMatch(
  recordedKeys: readonly RecordedKey[],
  vault: Vault,
  { allowNewLookupKey }: { allowNewLookupKey: boolean },
): void {
  const currentChecks = vault.computeKeyChecks();
  const errors = recordedKeys.flatMap((recordedKey) => {
    const currentCheck = currentChecks.find(
      ({ setting, version }) => setting === recordedKey.setting && version === recordedKey.version,
    );
    if (recordedKey.setting === 'LOOKUP_KEY')
      return allowNewLookupKey ? [] : describeLookupKeyErrors(recordedKey, currentCheck!);
    if (!currentCheck && recordedKey.state === 'retired') return [];
    if (!currentCheck)
      return `DATA_KEYS lacks version ${recordedKey.version}, with which personal data is encrypted. Add it again; it may be removed after 'semana reencrypt'.`;
    return currentCheck.value.equals(recordedKey.value)
      ? []
      : `The key of version ${recordedKey.version} in DATA_KEYS is not the one that personal data is encrypted with. Restore that key; a new key needs a new version.`;
  });
  if (errors.length > 0) throw new WrongKeysError(errors.join('\n'));
}

function describeLookupKeyErrors({ state, value }: RecordedKey, currentCheck: KeyCheck): string[] {
  if (!currentCheck.value.equals(value))
    return [
      'LOOKUP_KEY is not the key this database was written with: no customer would be found by phone or CPF. Restore that key. ' +
        `To change it, see 'Rotating keys' in docs/operating.md.`,
    ];
  if (state === 'changing')
    return [
      `A change of LOOKUP_KEY was started but not finished. Run 'semana reencrypt --all' with the new key until it completes.`,
    ];
  return [];
}
