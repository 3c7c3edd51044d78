import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { openService } from '../../test/harness.ts';
import { MigrationFault, migrate } from './migrate.ts';

const service = await openService({ demo: false });
const MIGRATIONS = join(import.meta.dirname, '../../migrations');
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

test('a migration that was changed after it had been applied is refused, by name', async () => {
  await withEmptyDatabase(async (url) => {
    await migrate(url, 'sandbox');
    await query(url, `update schema_migrations set checksum = 'other' where name = $1`, [ALL[1]]);
    await assert.rejects(migrate(url, 'sandbox'), (error) => {
      assert.ok(error instanceof MigrationFault);
      assert.match(error.message, new RegExp(`^Migration ${ALL[1]} was changed`));
      return true;
    });
  });
});

test('a database of a newer release is refused, by name, and left as it is', async () => {
  await withEmptyDatabase(async (url) => {
    await migrate(url, 'sandbox');
    const last = ALL.at(-1)!;
    // An older one is missing as well: nothing may be applied on top of what is not known.
    await query(url, `update schema_migrations set name = '9999_future.sql' where name = $1`, [last]);
    const before = await appliedIn(url);
    await assert.rejects(
      migrate(url, 'sandbox'),
      /has migration 9999_future\.sql, which this release does not know/,
    );
    assert.deepEqual(await appliedIn(url), before);
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
