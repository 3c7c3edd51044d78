import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMigratedDb } from '../../../test/harness.ts';
import { sql } from '../database/db.ts';
import { openJobPool } from './jobs.ts';

const db = await openMigratedDb();
const { name } = (await db.row<{ name: string }>(sql`select current_database() as name`))!;
const url = process.env.TEST_DATABASE_URL!.replace(/\/[^/]*$/, `/${name}`);

test('runners of graphile-worker open no connection to listen, and share the connections of the pool', async () => {
  const pool = openJobPool({ url, size: 1, onStuck: () => undefined });
  const listeners: string[] = [];
  pool.connect((_error, _client, _release) => void listeners.push('connected'));
  assert.equal(pool.totalCount, 0);
  assert.deepEqual((await pool.query('select 1 as one')).rows, [{ one: 1 }]);
  const client = await pool.connect();
  assert.deepEqual((await client.query('select 2 as two')).rows, [{ two: 2 }]);
  client.release();
  assert.equal(pool.totalCount, 1);
  assert.deepEqual(listeners, []);
  await pool.end();
});
