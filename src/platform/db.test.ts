import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { openService } from '../../test/harness.ts';
import { DatabaseAway, openDb, type Sql, sql } from './db.ts';

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

test('a part made elsewhere becomes part of the statement, its values stay values', async () => {
  const twice = (text: Sql) => sql`${text} || ${'+'}::text || ${text}`;
  const a = `'a`;
  const composed = sql`select ${1}::int as n, ${twice(sql`${a}::text`)} as text, ${2}::int as m`;
  assert.equal(composed.text, 'select $1::int as n, $2::text || $3::text || $4::text as text, $5::int as m');
  assert.deepEqual(await db.row(composed), { n: 1, text: `'a+'a`, m: 2 });
  const again = sql`select ${1}::int as n, ${twice(sql`${a}::text`)} as text, ${2}::int as m`;
  assert.equal(again.name, composed.name);
});

test('what a transaction announces is told after its commit, once in a batch, and when the pool closes; not after a rollback', async () => {
  const listener = new pg.Client({ connectionString: service.databaseUrl });
  await listener.connect();
  await listener.query('listen semana_changes');
  const heard: string[] = [];
  listener.on('notification', ({ payload }) => void (payload?.startsWith('test ') && heard.push(payload)));
  const short = openDb({ url: service.databaseUrl, poolSize: 2, label: 'db test' });
  const failing = short.transaction(async (tx) => {
    tx.announce('test', 'never');
    throw new Error('stop');
  });
  await assert.rejects(failing, /stop/);
  await short.transaction(async (tx) => {
    for (const key of ['a', 'b', 'a']) tx.announce('test', key);
    await listener.query('select 1');
    assert.deepEqual(heard, []);
  });
  await short.transaction(async (tx) => tx.announce('test', 'c'));
  await short.close();
  await listener.query('select 1');
  assert.equal(heard.join(' ').replaceAll(' test', ''), 'test a b c');
  await listener.end();
});

test('whole numbers beyond 32 bits and days come as numbers and text', async () => {
  assert.deepEqual(await db.row(sql`select 5000000000::int8 as n, date '2026-02-14' as day`), {
    n: 5_000_000_000,
    day: '2026-02-14',
  });
  await db.close();
});
