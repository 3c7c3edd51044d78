import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { migrate, readMigrations } from '#platform/database/migrate.ts';
import { runCli } from './commands.ts';
import { restoreDump } from './database-dump.ts';
import { copyDatabase, dropDatabase, openService } from './harness.ts';
import { query } from './query.ts';
import { addRelease, listMigrationErrors, RELEASES_FOLDER, readReleasedMigrations } from './released.ts';
import { dumpSchemaSql } from './schema-sql.ts';
import { ANA, logIn } from './support/customers.ts';

const migrations = await readMigrations('sandbox');
const releasedMigrations = await readReleasedMigrations();

test('released migrations are unchanged', () => {
  assert.deepEqual(
    listMigrationErrors(releasedMigrations, migrations),
    [],
    `If that release is not published yet, repeat it: 'npm run release -- --again'.`,
  );
});

test('a released migration that was changed or removed is reported; the migrations of a new release are added', () => {
  const [firstMigration, secondMigration, thirdMigration] = ['1.sql', '2.sql', '3.sql'].map((name) => ({
    name,
    text: '',
    checksum: name,
  }));
  const afterFirstRelease = addRelease({}, '1.0.0', [firstMigration!, secondMigration!]);
  assert.deepEqual(afterFirstRelease, { '1.0.0': { '1.sql': '1.sql', '2.sql': '2.sql' } });
  assert.deepEqual(
    listMigrationErrors(afterFirstRelease, [firstMigration!, secondMigration!, thirdMigration!]),
    [],
  );
  const errors = listMigrationErrors(afterFirstRelease, [{ ...firstMigration!, checksum: 'other' }]);
  assert.match(errors[0]!, /^migrations\/1\.sql was released with 1\.0\.0 and has changed since/);
  assert.match(errors[1]!, /^migrations\/2\.sql was released with 1\.0\.0 and was removed/);
  const afterSecondRelease = addRelease(afterFirstRelease, '1.1.0', [
    firstMigration!,
    secondMigration!,
    thirdMigration!,
  ]);
  assert.deepEqual(afterSecondRelease['1.1.0'], { '3.sql': '3.sql' });
  assert.deepEqual(addRelease(afterSecondRelease, '1.1.0', [firstMigration!, secondMigration!]), {
    ...afterFirstRelease,
    '1.1.0': {},
  });
});

const storedDatabases = (await readdir(RELEASES_FOLDER).catch(() => [])).filter((name) =>
  name.endsWith('.json.zst'),
);

test('a database of every release is stored', () => {
  assert.deepEqual(
    storedDatabases.toSorted(),
    Object.keys(releasedMigrations)
      .map((version) => `${version}.json.zst`)
      .toSorted(),
  );
});

for (const file of storedDatabases) {
  test(`a database of release ${file.replace('.json.zst', '')} is migrated, readable and balanced`, async () => {
    const newDatabaseUrl = await copyDatabase('semana_empty');
    const databaseUrl = await copyDatabase('template0');
    await restoreDump(databaseUrl, await readFile(join(RELEASES_FOLDER, file)));
    const [countsBefore] = await query<{ customers: number }>(
      databaseUrl,
      'select count(*)::int as customers from customers',
    );
    await migrate(databaseUrl, 'sandbox');
    assert.equal(
      await dumpSchemaSql(databaseUrl),
      await dumpSchemaSql(newDatabaseUrl),
      'the schema equals that of a new database',
    );
    await dropDatabase(newDatabaseUrl);

    const service = await openService({ databaseUrl });
    const { token } = await logIn(service, ANA);
    const purchases = await service.get('/wallet/checkouts', { token });
    assert.equal(purchases.status, 200, purchases.text);
    assert.ok(purchases.body.data.length > 0);
    const { body } = await service.get('/public/merchants');
    assert.ok(body.pagination.total > 0);
    const { code, stdout, stderr } = await runCli(['audit'], { DATABASE_URL: databaseUrl });
    assert.equal(code, 0, stderr);
    assert.match(stdout, new RegExp(`of ${countsBefore!.customers} customers: everything agrees`));
  });
}
