import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { commandLine } from '../../../test/commands.ts';
import { openService } from '../../../test/harness.ts';
import { sql } from '../database/db.ts';
import { type DataKey, SANDBOX_SECRETS, Vault } from '../vault.ts';
import { beginLookupKeyChange, recordKeys, WrongKeys } from './key-checks.ts';

const service = await openService();
const { lookupKey } = SANDBOX_SECRETS;
const first = SANDBOX_SECRETS.dataKeys[0]!;
const second: DataKey = { version: 2, key: randomBytes(32) };
const otherKey = randomBytes(32).toString('base64');

const dataKeys = (...keys: DataKey[]) => ({
  DATA_KEYS: keys.map(({ version, key }) => `${version}:${key.toString('base64')}`).join(','),
});
const refusedStart = (env: Record<string, string>, message: RegExp) =>
  assert.rejects(service.join(undefined, env), (error) => {
    assert.ok(error instanceof WrongKeys);
    assert.match(error.message, message);
    return true;
  });
const command = (words: string[], env: Record<string, string>) =>
  commandLine(words, { DATABASE_URL: service.databaseUrl, ...env });
const states = async () =>
  (
    await service.db.rows<{ of: string }>(
      sql`select concat_ws(' ', setting, version, state) as of from key_checks order by setting, version`,
    )
  ).map(({ of }) => of);

test('another LOOKUP_KEY: no node starts and no command runs, and the setting is named', async () => {
  const env = { LOOKUP_KEY: otherKey };
  await refusedStart(env, /^LOOKUP_KEY is not the one this database was written with/);
  for (const words of [['migrate'], ['audit'], ['customer', 'reencrypt']]) {
    const { code, stderr } = await command(words, env);
    assert.equal(code, 1, words.join(' '));
    assert.match(stderr, /LOOKUP_KEY is not the one/);
    assert.doesNotMatch(stderr, /\n\s+at /);
  }
});

test('another key under a version of DATA_KEYS, or none: refused with the version', async () => {
  const different = dataKeys({ version: 1, key: second.key });
  await refusedStart(different, /^DATA_KEYS has another key as version 1 /);
  await refusedStart(dataKeys(second), /^DATA_KEYS lacks version 1,/);
  assert.match((await command(['audit'], different)).stderr, /DATA_KEYS has another key as version 1 /);
  assert.deepEqual(
    await states(),
    ['DATA_KEYS 1 in_use', 'LOOKUP_KEY 0 in_use'],
    'a refusal records nothing',
  );
});

test('a key that is added is recorded; the old one may go once nothing is sealed with it', async () => {
  const rotated = await service.join(undefined, dataKeys(second, first));
  await rotated.stop();
  assert.deepEqual(await states(), ['DATA_KEYS 1 in_use', 'DATA_KEYS 2 in_use', 'LOOKUP_KEY 0 in_use']);
  await refusedStart(dataKeys(first), /^DATA_KEYS lacks version 2,/);
  const { code, stderr } = await command(['customer', 'reencrypt'], dataKeys(second, first));
  assert.equal(code, 0, stderr);
  assert.deepEqual(await states(), ['DATA_KEYS 1 retired', 'DATA_KEYS 2 in_use', 'LOOKUP_KEY 0 in_use']);
  await (await service.join(undefined, dataKeys(second))).stop();
  // And back: what seals is needed again.
  await (await service.join(undefined, dataKeys(first, second))).stop();
  assert.equal((await states())[0], 'DATA_KEYS 1 in_use');
});

test('LOOKUP_KEY is changed by customer reencrypt --all; until that has ended nobody starts with either', async () => {
  const changed = randomBytes(32);
  const env = { ...dataKeys(first, second), LOOKUP_KEY: changed.toString('base64') };
  await beginLookupKeyChange(service.db, new Vault({ dataKeys: [first], lookupKey: changed }));
  await refusedStart(env, /was begun and not ended.*customer reencrypt --all/);
  await refusedStart(dataKeys(first, second), /^LOOKUP_KEY is not the one/);
  const { code, stderr } = await command(['customer', 'reencrypt', '--all'], env);
  assert.equal(code, 0, stderr);
  await (await service.join(undefined, env)).stop();
  await refusedStart(dataKeys(first, second), /^LOOKUP_KEY is not the one/);
});

test('of nodes that start together with different keys on a new database, one is refused', async () => {
  await service.db.run(sql`delete from key_checks`);
  const vaults = [lookupKey, randomBytes(32)].map((one) => new Vault({ dataKeys: [first], lookupKey: one }));
  const outcomes = await Promise.allSettled(vaults.map((vault) => recordKeys(service.db, vault)));
  assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
});
