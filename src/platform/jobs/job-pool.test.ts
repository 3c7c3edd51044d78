import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEmptyDb } from '../../../test/harness.ts';
import { sql } from '../database/db.ts';
import { openJobPool } from './jobs.ts';

const db = await openEmptyDb();
const { name } = (await db.row<{ name: string }>(sql`select current_database() as name`))!;
const url = process.env.TEST_DATABASE_URL!.replace(/\/[^/]*$/, `/${name}`);

test('a connection that graphile-worker releases twice is released once', async () => {
  const pool = openJobPool({ url, size: 1, onStuck: () => undefined });
  const handed = Promise.withResolvers<() => void>();
  pool.connect((error, _client, release) => (error ? handed.reject(error) : handed.resolve(release)));
  const release = await handed.promise;
  release();
  const held = await pool.connect();
  // Another user has the connection by now and must keep it.
  assert.doesNotThrow(release);
  assert.equal(pool.idleCount, 0);
  assert.deepEqual((await held.query('select 1 as one')).rows, [{ one: 1 }]);
  held.release();
  await pool.end();
});

test('a caller whose wait for a connection times out gets an error, and its release does nothing', async (t) => {
  const pool = openJobPool({ url, size: 1, onStuck: () => undefined });
  const held = await pool.connect();
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const outcome = Promise.withResolvers<{ error: Error | undefined; release: () => void }>();
  pool.connect((error, _client, release) => outcome.resolve({ error, release }));
  t.mock.timers.tick(4_000);
  const { error, release } = await outcome.promise;
  t.mock.timers.reset();
  assert.match(error!.message, /timeout/);
  assert.doesNotThrow(release);
  held.release();
  await pool.end();
});
