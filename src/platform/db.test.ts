import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openService } from '../../test/harness.ts';
import { DatabaseAway, openDb, sql } from './db.ts';

const service = await openService();
const db = openDb({ url: service.databaseUrl, poolSize: 1, label: 'db test' });

test('a connection that is cut inside a transaction is a DatabaseAway, and the next transaction gets another', async () => {
  const cut = db.transaction(async (tx) => {
    const mine = await tx.row<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    await service.db.run(sql`select pg_terminate_backend(${mine!.pid})`);
    await tx.rows(sql`select 1`);
  });
  await assert.rejects(cut, DatabaseAway);
  assert.deepEqual(await db.transaction((tx) => tx.row(sql`select 1 as one`)), { one: 1 });
});

test('a transaction that throws leaves nothing behind', async () => {
  const work = db.transaction(async (tx) => {
    await tx.run(sql`insert into categories (slug, name) values ('nunca', 'Nunca')`);
    throw new Error('stop');
  });
  await assert.rejects(work, /stop/);
  assert.equal(await service.db.row(sql`select 1 from categories where slug = 'nunca'`), undefined);
});

test('values never become SQL', async () => {
  const text = `'; drop table customers; --`;
  assert.deepEqual(await db.row(sql`select ${text}::text as text`), { text });
});

test('whole numbers beyond 32 bits and days come as numbers and text', async () => {
  assert.deepEqual(await db.row(sql`select 5000000000::int8 as n, date '2026-02-14' as day`), {
    n: 5_000_000_000,
    day: '2026-02-14',
  });
  await db.close();
});
