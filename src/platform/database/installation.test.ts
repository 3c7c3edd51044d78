import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { runCli } from '../../../test/commands.ts';
import { openService } from '../../../test/harness.ts';
import { reencrypt } from '../../customers/commands/reencrypt.ts';
import { listPersonalData } from '../../modules.ts';
import { type DataKey, SANDBOX_SECRETS, Vault } from '../vault.ts';
import { sql } from './db.ts';
import { recordKeyChecks, startLookupKeyChange, WrongKeysError } from './installation.ts';

const service = await openService();
const { lookupKey } = SANDBOX_SECRETS;
const firstKey = SANDBOX_SECRETS.dataKeys[0]!;
const secondKey: DataKey = { version: 2, key: randomBytes(32) };
const otherLookupKey = randomBytes(32).toString('base64');

const buildDataKeys = (...keys: DataKey[]) => ({
  DATA_KEYS: keys.map(({ version, key }) => `${version}:${key.toString('base64')}`).join(','),
});
const assertStartRefused = (env: Record<string, string>, message: RegExp) =>
  assert.rejects(service.startNode({ env }), (error) => {
    assert.ok(error instanceof WrongKeysError);
    assert.match(error.message, message);
    return true;
  });
const runCommand = (words: string[], env: Record<string, string>) =>
  runCli(words, { DATABASE_URL: service.databaseUrl, ...env });
const listKeyStates = async () =>
  (
    await service.db.rows<{ key_state: string }>(
      sql`select concat_ws(' ', setting, version, state) as key_state from key_checks order by setting, version`,
    )
  ).map(({ key_state }) => key_state);

test('with another LOOKUP_KEY no node starts and no command runs, and the message names the setting', async () => {
  const env = { LOOKUP_KEY: otherLookupKey };
  await assertStartRefused(env, /^LOOKUP_KEY is not the key this database was written with/);
  for (const words of [['migrate'], ['audit'], ['reencrypt']]) {
    const { code, stderr } = await runCommand(words, env);
    assert.equal(code, 1, words.join(' '));
    assert.match(stderr, /LOOKUP_KEY is not the key/);
    assert.doesNotMatch(stderr, /\n\s+at /);
  }
});

test('a different or missing key of a version in DATA_KEYS is refused with the version', async () => {
  const differentKey = buildDataKeys({ version: 1, key: secondKey.key });
  await assertStartRefused(differentKey, /^The key of version 1 in DATA_KEYS is not the one /);
  await assertStartRefused(buildDataKeys(secondKey), /^DATA_KEYS lacks version 1,/);
  assert.match(
    (await runCommand(['audit'], differentKey)).stderr,
    /The key of version 1 in DATA_KEYS is not the one /,
  );
  assert.deepEqual(
    await listKeyStates(),
    ['DATA_KEYS 1 in_use', 'LOOKUP_KEY 0 in_use'],
    'a refusal records nothing',
  );
});

test('a new key is recorded; the old one may be removed once nothing is encrypted with it', async () => {
  const nodeWithNewKey = await service.startNode({ env: buildDataKeys(secondKey, firstKey) });
  await nodeWithNewKey.stop();
  assert.deepEqual(await listKeyStates(), [
    'DATA_KEYS 1 in_use',
    'DATA_KEYS 2 in_use',
    'LOOKUP_KEY 0 in_use',
  ]);
  await assertStartRefused(buildDataKeys(firstKey), /^DATA_KEYS lacks version 2,/);
  const refusedOutcome = await runCommand(['reencrypt'], buildDataKeys(secondKey, firstKey));
  assert.equal(refusedOutcome.code, 1, 'a running node lacks the new key');
  assert.match(refusedOutcome.stderr, /do not have version 2 of DATA_KEYS .*semana-[0-9a-f]{24}\. /);
  assert.ok((await listKeyStates()).includes('DATA_KEYS 1 in_use'));
  await reencrypt(service.db, new Vault({ dataKeys: [secondKey, firstKey], lookupKey }), {
    all: false,
    personalData: listPersonalData('sandbox'),
    onProgress: () => undefined,
  });
  assert.deepEqual(await listKeyStates(), [
    'DATA_KEYS 1 retired',
    'DATA_KEYS 2 in_use',
    'LOOKUP_KEY 0 in_use',
  ]);
  await (await service.startNode({ env: buildDataKeys(secondKey) })).stop();
  // A retired key is required again once it is the first, with which new data is encrypted.
  await (await service.startNode({ env: buildDataKeys(firstKey, secondKey) })).stop();
  assert.ok((await listKeyStates()).includes('DATA_KEYS 1 in_use'));
});

test('reencrypt --all changes LOOKUP_KEY; until it has finished no node starts with either key', async () => {
  const newLookupKey = randomBytes(32);
  const env = { ...buildDataKeys(firstKey, secondKey), LOOKUP_KEY: newLookupKey.toString('base64') };
  await startLookupKeyChange(service.db, new Vault({ dataKeys: [firstKey], lookupKey: newLookupKey }));
  await assertStartRefused(env, /was started but not finished.*semana reencrypt --all/);
  await assertStartRefused(buildDataKeys(firstKey, secondKey), /^LOOKUP_KEY is not the key/);
  const { code, stderr } = await runCommand(['reencrypt', '--all'], env);
  assert.equal(code, 0, stderr);
  await (await service.startNode({ env })).stop();
  await assertStartRefused(buildDataKeys(firstKey, secondKey), /^LOOKUP_KEY is not the key/);
});

test('of nodes that start together with different keys on a new database, one is refused', async () => {
  await service.db.run(sql`delete from key_checks`);
  const vaults = [lookupKey, randomBytes(32)].map(
    (key) => new Vault({ dataKeys: [firstKey], lookupKey: key }),
  );
  const outcomes = await Promise.allSettled(vaults.map((vault) => recordKeyChecks(service.db, vault)));
  assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
});
