import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { migrate, readMigrations } from '#platform/database/migrate.ts';
import { commandLine } from './commands.ts';
import { restoreDump } from './database-dump.ts';
import { copyDatabase, dropDatabase, openService } from './harness.ts';
import { query } from './query.ts';
import { addRelease, listMigrationErrors, RELEASES, readReleased } from './released.ts';
import { dumpSchemaSql } from './schema-sql.ts';
import { ANA, logIn } from './support/customers.ts';

const migrations = await readMigrations('sandbox');
const released = await readReleased();

test('released migrations are unchanged', () => {
  assert.deepEqual(
    listMigrationErrors(released, migrations),
    [],
    `If that release is not published yet, repeat it: 'npm run release -- --again'.`,
  );
});

test('a changed or removed released migration is reported; those of a new release are added', () => {
  const [first, second, third] = ['1.sql', '2.sql', '3.sql'].map((name) => ({
    name,
    text: '',
    checksum: name,
  }));
  const firstReleasedMigrations = addRelease({}, '1.0.0', [first!, second!]);
  assert.deepEqual(firstReleasedMigrations, { '1.0.0': { '1.sql': '1.sql', '2.sql': '2.sql' } });
  assert.deepEqual(listMigrationErrors(firstReleasedMigrations, [first!, second!, third!]), []);
  const faults = listMigrationErrors(firstReleasedMigrations, [{ ...first!, checksum: 'other' }]);
  assert.match(faults[0]!, /^migrations\/1\.sql was released with 1\.0\.0 and has changed since/);
  assert.match(faults[1]!, /^migrations\/2\.sql was released with 1\.0\.0 and was removed/);
  const two = addRelease(firstReleasedMigrations, '1.1.0', [first!, second!, third!]);
  assert.deepEqual(two['1.1.0'], { '3.sql': '3.sql' });
  assert.deepEqual(addRelease(two, '1.1.0', [first!, second!]), { ...firstReleasedMigrations, '1.1.0': {} });
});

const storedDatabases = (await readdir(RELEASES).catch(() => [])).filter((name) =>
  name.endsWith('.json.zst'),
);

test('a database of every release is stored', () => {
  assert.deepEqual(
    storedDatabases.toSorted(),
    Object.keys(released)
      .map((version) => `${version}.json.zst`)
      .toSorted(),
  );
});

for (const file of storedDatabases) {
  test(`a database of release ${file.replace('.json.zst', '')} is migrated, readable and balanced`, async () => {
    const fresh = await copyDatabase('semana_empty');
    const databaseUrl = await copyDatabase('template0');
    await restoreDump(databaseUrl, await readFile(join(RELEASES, file)));
    const [before] = await query<{ customers: number }>(
      databaseUrl,
      'select count(*)::int as customers from customers',
    );
    await migrate(databaseUrl, 'sandbox');
    assert.equal(
      await dumpSchemaSql(databaseUrl),
      await dumpSchemaSql(fresh),
      'the schema is that of a new one',
    );
    await dropDatabase(fresh);

    const service = await openService({ databaseUrl });
    const { token } = await logIn(service, ANA);
    const wallet = await service.get('/wallet/checkouts', { token });
    assert.equal(wallet.status, 200, wallet.text);
    assert.ok(wallet.body.data.length > 0, 'her purchases');
    const { body } = await service.get('/public/merchants');
    assert.ok(body.pagination.total > 0);
    const { code, stdout, stderr } = await commandLine(['audit'], { DATABASE_URL: databaseUrl });
    assert.equal(code, 0, stderr);
    assert.match(stdout, new RegExp(`of ${before!.customers} customers: everything agrees`));
  });
}
