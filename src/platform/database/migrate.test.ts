import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { openService } from '../../../test/harness.ts';
import { openDb } from './db.ts';
import { MigrationError, migrate, requireCurrentSchema } from './migrate.ts';

const service = await openService({ demo: false });
const MIGRATIONS = join(import.meta.dirname, '../../../migrations');
const listMigrationFiles = async (folder: string) =>
  (await readdir(join(MIGRATIONS, folder))).filter((name) => name.endsWith('.sql')).sort();
const LIVE_MIGRATIONS = await listMigrationFiles('.');
const ALL_MIGRATIONS = [
  ...LIVE_MIGRATIONS,
  ...(await listMigrationFiles('sandbox')).map((name) => `sandbox/${name}`),
];

async function query<R extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<R[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<R>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Calls `useDatabase` with the URL of an empty database. */
async function withEmptyDatabase(useDatabase: (url: string) => Promise<void>): Promise<void> {
  const name = `empty_${randomBytes(6).toString('hex')}`;
  await query(service.databaseUrl, `create database ${name} template template0`);
  try {
    await useDatabase(Object.assign(new URL(service.databaseUrl), { pathname: `/${name}` }).href);
  } finally {
    await query(service.databaseUrl, `drop database ${name} with (force)`);
  }
}

const listAppliedNames = async (url: string) =>
  (await query<{ name: string }>(url, 'select name from schema_migrations order by name')).map(
    ({ name }) => name,
  );

test('nodes that start together on an empty database apply every migration once', async () => {
  await withEmptyDatabase(async (url) => {
    const namesByNode = await Promise.all(Array.from({ length: 6 }, () => migrate(url, 'sandbox')));
    const [mostNames, ...otherNames] = namesByNode.toSorted((a, b) => b.length - a.length);
    assert.deepEqual(mostNames, ALL_MIGRATIONS, 'one of them applied all migrations, in order');
    assert.deepEqual(otherNames.flat(), [], 'the others applied none');
    assert.deepEqual(await listAppliedNames(url), ALL_MIGRATIONS);
  });
});

test('a live database gets no tables of the sandbox', async () => {
  await withEmptyDatabase(async (url) => {
    assert.deepEqual(await migrate(url, 'live'), LIVE_MIGRATIONS);
    const tables = await query(url, `select 1 from pg_tables where tablename ~ '^(sandbox|psp_sim)_'`);
    assert.deepEqual(tables, []);
  });
});

test('migrating a current database again applies nothing', async () => {
  await withEmptyDatabase(async (url) => {
    await migrate(url, 'sandbox');
    assert.deepEqual(await migrate(url, 'sandbox'), []);
  });
});

test('a database of an unreleased build is refused with an error that says what to do', async () => {
  await withEmptyDatabase(async (url) => {
    await migrate(url, 'sandbox');
    await query(url, `update schema_migrations set checksum = 'other' where name = $1`, [ALL_MIGRATIONS[1]]);
    await assert.rejects(migrate(url, 'sandbox'), (error) => {
      assert.ok(error instanceof MigrationError);
      assert.match(
        error.message,
        new RegExp(`cannot update this database.*migration ${ALL_MIGRATIONS[1]} differs.*restore a backup`),
      );
      return true;
    });
  });
});

test('a database of a newer release is refused and left unchanged', async () => {
  await withEmptyDatabase(async (url) => {
    await migrate(url, 'sandbox');
    const lastMigration = LIVE_MIGRATIONS.at(-1)!;
    // An older migration is missing as well: nothing may be applied on top of an unknown migration.
    await query(
      url,
      `update schema_migrations set name = '9999_future.sql', is_additive = false where name = $1`,
      [lastMigration],
    );
    const appliedBefore = await listAppliedNames(url);
    await assert.rejects(
      migrate(url, 'sandbox'),
      /updated by a newer release of Semana: it has migration 9999_future\.sql, which this release /,
    );
    assert.deepEqual(await listAppliedNames(url), appliedBefore);
  });
});

/** Creates a directory with these migrations for the duration of the test. */
async function createMigrationFiles(t: TestContext, files: Record<string, string>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'semana-migrations-'));
  t.after(() => rm(directory, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  return directory;
}

test('a migration that waits for an open transaction retries with short waits and blocks no other statement', async (t) => {
  const directory = await createMigrationFiles(t, {
    '0001_first.sql': 'create table things (n int)',
    '0002_wider.sql': 'alter table things add column m int',
  });
  await withEmptyDatabase(async (url) => {
    const firstDirectory = await createMigrationFiles(t, { '0001_first.sql': 'create table things (n int)' });
    await migrate(url, 'live', { directory: firstDirectory });
    const blockingClient = new pg.Client({ connectionString: url });
    await blockingClient.connect();
    await blockingClient.query('begin; insert into things values (1)');

    const messages: string[] = [];
    const pendingMigration = migrate(url, 'live', { directory, print: (text) => messages.push(text) });
    // The lock is released only after these statements: if the migration waited for it continuously, they would block behind it.
    let insertCount = 0;
    for (; messages.length < 2; insertCount++) await query(url, 'insert into things (n) values (2)');
    assert.match(
      messages[0]!,
      /^Migration 0002_wider\.sql is waiting for a transaction of another session to end\.$/,
    );
    await blockingClient.query('commit');
    await blockingClient.end();
    assert.deepEqual(await pendingMigration, ['0002_wider.sql']);
    assert.ok((await query(url, 'select n, m from things')).length > insertCount);
  });
});

test('an old release starts with a newer schema if the unknown migrations are additive, otherwise it is refused', async (t) => {
  const oldFiles = { '0001_first.sql': 'create table things (n int)' };
  const additiveFiles = { ...oldFiles, '0002_wider.sql': '-- additive\nalter table things add column m int' };
  const breakingFiles = { ...additiveFiles, '0003_narrower.sql': 'alter table things drop column n' };
  const [oldDirectory, newerDirectory, newestDirectory] = await Promise.all(
    [oldFiles, additiveFiles, breakingFiles].map((files) => createMigrationFiles(t, files)),
  );
  await withEmptyDatabase(async (url) => {
    await migrate(url, 'live', { directory: newerDirectory! });
    assert.deepEqual(await migrate(url, 'live', { directory: oldDirectory! }), []);
    await migrate(url, 'live', { directory: newestDirectory! });
    await assert.rejects(
      migrate(url, 'live', { directory: oldDirectory! }),
      /0003_narrower\.sql, which this release /,
    );
  });
});

test('processes that do not migrate explain what to do with an empty, an older and a newer database', async () => {
  await withEmptyDatabase(async (url) => {
    const db = openDb({ url, poolSize: 1, applicationName: 'test' });
    const readRefusal = () =>
      requireCurrentSchema(db, 'live').then(
        () => undefined,
        (error: Error) => error,
      );
    assert.equal((await readRefusal())?.message, `This database is not set up. Run 'semana migrate' first.`);
    await migrate(url, 'live');
    assert.equal(await readRefusal(), undefined);
    const lastMigration = LIVE_MIGRATIONS.at(-1)!;
    await query(url, 'delete from schema_migrations where name = $1', [lastMigration]);
    assert.equal(
      (await readRefusal())?.message,
      `This database is older than this release: ${lastMigration} is missing. Run 'semana migrate' first.`,
    );
    await query(
      url,
      `insert into schema_migrations (name, checksum, is_additive)
       values ($1, 'x', false), ('9999_future.sql', 'y', false)`,
      [lastMigration],
    );
    assert.match(
      (await readRefusal())!.message,
      /cannot update this database.*migration \S+ differs.*restore a backup/,
    );
    await query(url, 'delete from schema_migrations where name = $1', [lastMigration]);
    assert.match(
      (await readRefusal())!.message,
      /updated by a newer release of Semana: it has migration 9999_future\.sql, which this release /,
    );
    await db.close();
  });
});

test('a read-only database is refused with an explanation', async () => {
  await withEmptyDatabase(async (url) => {
    const name = new URL(url).pathname.slice(1);
    await query(url, `alter database ${name} set default_transaction_read_only = on`);
    await assert.rejects(migrate(url, 'live'), /is read-only: it is a replica/);
    assert.deepEqual(await query(url, `select 1 from pg_tables where tablename = 'schema_migrations'`), []);
  });
});

test('a failing migration is rolled back, and the lock is free for the next attempt', async () => {
  await withEmptyDatabase(async (url) => {
    // This table makes the third migration fail: the first two stay applied, and the third leaves no change.
    await query(url, 'create table posts (nothing int)');
    await assert.rejects(migrate(url, 'sandbox'), (error) => {
      assert.ok(error instanceof MigrationError);
      assert.match(error.message, /^Migration 0003_catalog\.sql failed: relation "posts" already exists/);
      return true;
    });
    assert.deepEqual(await listAppliedNames(url), ALL_MIGRATIONS.slice(0, 2));
    assert.deepEqual(await query(url, `select 1 from pg_tables where tablename = 'categories'`), []);

    await query(url, 'drop table posts');
    assert.deepEqual(await migrate(url, 'sandbox'), ALL_MIGRATIONS.slice(2));
  });
});
