import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { openService } from '../../../test/harness.ts';
import { openDb } from './db.ts';
import { MigrationFault, migrate } from './migrate.ts';
import { requireCurrentSchema } from './schema-check.ts';

const service = await openService({ demo: false });
const MIGRATIONS = join(import.meta.dirname, '../../../migrations');
const listed = async (folder: string) =>
  (await readdir(join(MIGRATIONS, folder))).filter((name) => name.endsWith('.sql')).sort();
const LIVE = await listed('.');
const ALL = [...LIVE, ...(await listed('sandbox')).map((name) => `sandbox/${name}`)];

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

/** Gives the work a database without anything in it. */
async function withEmptyDatabase(work: (url: string) => Promise<void>): Promise<void> {
  const name = `empty_${randomBytes(6).toString('hex')}`;
  await query(service.databaseUrl, `create database ${name} template template0`);
  try {
    await work(Object.assign(new URL(service.databaseUrl), { pathname: `/${name}` }).href);
  } finally {
    await query(service.databaseUrl, `drop database ${name} with (force)`);
  }
}

const appliedIn = async (url: string) =>
  (await query<{ name: string }>(url, 'select name from schema_migrations order by name')).map(
    ({ name }) => name,
  );

test('nodes that start together on an empty database apply every migration once', async () => {
  await withEmptyDatabase(async (url) => {
    const applied = await Promise.all(Array.from({ length: 6 }, () => migrate(url, 'sandbox')));
    const sorted = applied.toSorted((a, b) => b.length - a.length);
    assert.deepEqual(sorted[0], ALL, 'one of them did everything, in order');
    assert.deepEqual(sorted.slice(1).flat(), [], 'the others found it done');
    assert.deepEqual(await appliedIn(url), ALL);
  });
});

test('a live database gets no table of the sandbox', async () => {
  await withEmptyDatabase(async (url) => {
    assert.deepEqual(await migrate(url, 'live'), LIVE);
    const tables = await query(url, `select 1 from pg_tables where tablename ~ '^(sandbox|psp_sim)_'`);
    assert.deepEqual(tables, []);
  });
});

test('migrating again does nothing, and goes on where it stopped', async () => {
  await withEmptyDatabase(async (url) => {
    await migrate(url, 'sandbox');
    assert.deepEqual(await migrate(url, 'sandbox'), []);
  });
});

test('a database of a build that is no release is refused, and its operator is told what to do', async () => {
  await withEmptyDatabase(async (url) => {
    await migrate(url, 'sandbox');
    await query(url, `update schema_migrations set checksum = 'other' where name = $1`, [ALL[1]]);
    await assert.rejects(migrate(url, 'sandbox'), (error) => {
      assert.ok(error instanceof MigrationFault);
      assert.match(
        error.message,
        new RegExp(`cannot update this database: .*migration ${ALL[1]} is another.*restore a backup`),
      );
      return true;
    });
  });
});

test('a database of a newer release is refused, by name, and left as it is', async () => {
  await withEmptyDatabase(async (url) => {
    await migrate(url, 'sandbox');
    const last = LIVE.at(-1)!;
    // An older one is missing as well: nothing may be applied on top of what is not known.
    await query(
      url,
      `update schema_migrations set name = '9999_future.sql', is_additive = false where name = $1`,
      [last],
    );
    const before = await appliedIn(url);
    await assert.rejects(
      migrate(url, 'sandbox'),
      /updated by a newer release of Semana: it has migration 9999_future\.sql, which this release /,
    );
    assert.deepEqual(await appliedIn(url), before);
  });
});

/** A directory with these migrations, until the test is over. */
async function newMigrations(t: TestContext, files: Record<string, string>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'semana-migrations-'));
  t.after(() => rm(directory, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  return directory;
}

test('a migration that must wait for an open transaction waits briefly, again and again, and stops nobody meanwhile', async (t) => {
  const directory = await newMigrations(t, {
    '0001_first.sql': 'create table things (n int)',
    '0002_wider.sql': 'alter table things add column m int',
  });
  await withEmptyDatabase(async (url) => {
    const first = await newMigrations(t, { '0001_first.sql': 'create table things (n int)' });
    await migrate(url, 'live', { directory: first });
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query('begin; insert into things values (1)');

    const said: string[] = [];
    const migrated = migrate(url, 'live', { directory, say: (text) => said.push(text) });
    // The holder ends only after these: had the migration waited in one go, and they behind it, none would come back.
    let inserted = 0;
    for (; said.length < 2; inserted++) await query(url, 'insert into things (n) values (2)');
    assert.match(said[0]!, /^Migration 0002_wider\.sql waits for another session's transaction to end\.$/);
    await holder.query('commit');
    await holder.end();
    assert.deepEqual(await migrated, ['0002_wider.sql']);
    assert.ok((await query(url, 'select n, m from things')).length > inserted);
  });
});

test('beside a newer schema an old release starts if what it does not know is additive, else it is refused', async (t) => {
  const old = { '0001_first.sql': 'create table things (n int)' };
  const additive = { ...old, '0002_wider.sql': '-- additive\nalter table things add column m int' };
  const breaking = { ...additive, '0003_narrower.sql': 'alter table things drop column n' };
  const [oldOne, newer, newest] = await Promise.all(
    [old, additive, breaking].map((files) => newMigrations(t, files)),
  );
  await withEmptyDatabase(async (url) => {
    await migrate(url, 'live', { directory: newer! });
    assert.deepEqual(await migrate(url, 'live', { directory: oldOne! }), []);
    await migrate(url, 'live', { directory: newest! });
    await assert.rejects(
      migrate(url, 'live', { directory: oldOne! }),
      /0003_narrower\.sql, which this release /,
    );
  });
});

test('processes that do not migrate say what to do: on an empty database, an older one, and a newer one', async () => {
  await withEmptyDatabase(async (url) => {
    const db = openDb({ url, poolSize: 1, label: 'test' });
    const refusal = () =>
      requireCurrentSchema(db, 'live').then(
        () => undefined,
        (error: Error) => error,
      );
    assert.equal((await refusal())?.message, `This database is not set up. Run 'semana migrate' first.`);
    await migrate(url, 'live');
    assert.equal(await refusal(), undefined);
    const last = LIVE.at(-1)!;
    await query(url, 'delete from schema_migrations where name = $1', [last]);
    assert.equal(
      (await refusal())?.message,
      `This database is older than this release: ${last} is missing. Run 'semana migrate' first.`,
    );
    await query(
      url,
      `insert into schema_migrations values ($1, 'x', false), ('9999_future.sql', 'y', false)`,
      [last],
    );
    assert.match(
      (await refusal())!.message,
      /cannot update this database.*migration \S+ is another.*restore a backup/,
    );
    await query(url, 'delete from schema_migrations where name = $1', [last]);
    assert.match(
      (await refusal())!.message,
      /updated by a newer release of Semana: it has migration 9999_future\.sql, which this release /,
    );
    await db.close();
  });
});

test('a database that can only be read is left alone, and told so', async () => {
  await withEmptyDatabase(async (url) => {
    const name = new URL(url).pathname.slice(1);
    await query(url, `alter database ${name} set default_transaction_read_only = on`);
    await assert.rejects(migrate(url, 'live'), /can only be read: it is a replica/);
    assert.deepEqual(await query(url, `select 1 from pg_tables where tablename = 'schema_migrations'`), []);
  });
});

test('a migration that fails leaves nothing of itself, and the lock is free for the next try', async () => {
  await withEmptyDatabase(async (url) => {
    // In the way of the third migration: the first two stay, the third is as if it had never begun.
    await query(url, 'create table posts (nothing int)');
    await assert.rejects(migrate(url, 'sandbox'), (error) => {
      assert.ok(error instanceof MigrationFault);
      assert.match(error.message, /^Migration 0003_catalog\.sql failed: relation "posts" already exists/);
      return true;
    });
    assert.deepEqual(await appliedIn(url), ALL.slice(0, 2));
    assert.deepEqual(await query(url, `select 1 from pg_tables where tablename = 'categories'`), []);

    await query(url, 'drop table posts');
    assert.deepEqual(await migrate(url, 'sandbox'), ALL.slice(2));
  });
});
