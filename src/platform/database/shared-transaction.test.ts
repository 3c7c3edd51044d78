import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEmptyDb } from '../../../test/harness.ts';
import { type Queryable, sql, type Tx } from './db.ts';
import { forSharedWork, sharedTransaction } from './shared-transaction.ts';

const db = await openEmptyDb();
await db.run(
  sql`create table marks (customer_id text, n int, tx bigint default txid_current(), unique (customer_id, n))`,
);

const mark = (customerId: string, n = 1) =>
  sharedTransaction(db, customerId, async (tx: Tx) => {
    await tx.run(sql`insert into marks (customer_id, n) values (${customerId}, ${n})`);
    return `${customerId} ${n}`;
  });
const marksOf = (from: Queryable, like: string) =>
  from.rows<{ customer_id: string; tx: number }>(sql`
    select customer_id, tx from marks where customer_id like ${like} order by tx, customer_id`);

test('concurrent work of several customers is one transaction, and each caller gets its own result', async () => {
  assert.deepEqual(await Promise.all([mark('a1'), mark('a3'), mark('a2')]), ['a1 1', 'a3 1', 'a2 1']);
  const marks = await marksOf(db, 'a%');
  assert.equal(new Set(marks.map(({ tx }) => tx)).size, 1);
});

test('work that fails does not fail the others', async () => {
  await mark('b2');
  const outcomes = await Promise.allSettled([
    mark('b1'),
    mark('b2'),
    sharedTransaction(db, 'b3', () => Promise.reject(new Error('of its own'))),
    mark('b4'),
  ]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected', 'fulfilled'],
  );
  const marks = await marksOf(db, 'b%');
  assert.deepEqual(
    marks.map(({ customer_id }) => customer_id),
    ['b2', 'b1', 'b4'],
  );
});

test('work of one customer runs in separate transactions, and other customers do not wait for all of them', async () => {
  const done: string[] = [];
  const flood = Array.from({ length: 30 }, (_, n) => mark('c0', n).then((name) => void done.push(name)));
  await mark('c1').then((name) => void done.push(name));
  assert.ok(done.length < 10, `done before it: ${done.length}`);
  await Promise.all(flood);
  const marks = await marksOf(db, 'c0');
  assert.equal(new Set(marks.map(({ tx }) => tx)).size, 30);
});

test('a locked customer does not delay others, and is processed once the lock is released', async () => {
  await db.run(sql`insert into marks (customer_id, n) values ('e0', 0)`);
  const lock = (tx: Tx) => tx.run(sql`select from marks where customer_id = 'e0' for update`);
  const [held, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holder = db.transaction(async (tx) => {
    await lock(tx);
    held.resolve();
    await letGo.promise;
  });
  await held.promise;
  const kept = Array.from({ length: 3 }, () => sharedTransaction(db, 'e0', lock));
  assert.deepEqual(await Promise.all([mark('e1'), mark('e2')]), ['e1 1', 'e2 1']);
  letGo.resolve();
  await Promise.all([holder, ...kept]);
});

test('at most a hundred calls of one customer wait; further calls get 503', async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 110 }, (_, n) => mark('d', n)));
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  assert.equal(refused.length, 10);
  assert.match((refused[0] as PromiseRejectedResult).reason.message, /Too many operations are in progress/);
});

test('callbacks after the commit run once, even for work that is repeated because other work failed', async () => {
  const counted: string[] = [];
  const count = (customerId: string, n: number) =>
    sharedTransaction(db, customerId, async (tx) => {
      tx.afterCommit(() => counted.push(customerId));
      await tx.run(sql`insert into marks (customer_id, n) values (${customerId}, ${n})`);
    });
  await count('f1', 1);
  await Promise.allSettled([count('f0', 1), count('f1', 1), count('f2', 1)]);
  assert.deepEqual(counted.toSorted(), ['f0', 'f1', 'f2']);
});

test('work with a common key runs in separate transactions, other work shares them', async () => {
  const add = (keys: string[], n: number) =>
    forSharedWork(db, keys).transaction(async (tx) => {
      await tx.run(sql`insert into marks (customer_id, n) values ('g', ${n})`);
    });
  await Promise.all([
    add(['a', 'b'], 1),
    add(['b'], 2),
    add([], 3),
    add(['c'], 4),
    add([], 5),
    add(['a'], 6),
  ]);
  const marks = await db.rows<{ n: number; tx: string }>(
    sql`select n, tx::text as tx from marks where customer_id = 'g' order by n`,
  );
  const transactionOf = new Map(marks.map(({ n, tx }) => [n, tx]));
  assert.equal(new Set([1, 3, 4, 5].map((n) => transactionOf.get(n))).size, 1);
  assert.notEqual(transactionOf.get(2), transactionOf.get(1));
  assert.notEqual(transactionOf.get(6), transactionOf.get(1));
});
