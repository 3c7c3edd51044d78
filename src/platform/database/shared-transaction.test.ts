import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMigratedDb } from '../../../test/harness.ts';
import { type Queryable, sql, type Tx } from './db.ts';
import { sharedTransaction, shareTransactions } from './shared-transaction.ts';

const db = await openMigratedDb();
await db.run(
  sql`create table marks (customer_id text, n int, tx bigint default txid_current(), unique (customer_id, n))`,
);

const insertMark = (customerId: string, n = 1) =>
  sharedTransaction(db, customerId, async (tx: Tx) => {
    await tx.run(sql`insert into marks (customer_id, n) values (${customerId}, ${n})`);
    return `${customerId} ${n}`;
  });
const listMarks = (queryable: Queryable, pattern: string) =>
  queryable.rows<{ customer_id: string; tx: number }>(sql`
    select customer_id, tx from marks where customer_id like ${pattern} order by tx, customer_id`);

test('concurrent work of several customers is one transaction, and each caller gets its own result', async () => {
  assert.deepEqual(await Promise.all([insertMark('a1'), insertMark('a3'), insertMark('a2')]), [
    'a1 1',
    'a3 1',
    'a2 1',
  ]);
  const marks = await listMarks(db, 'a%');
  assert.equal(new Set(marks.map(({ tx }) => tx)).size, 1);
});

test('failing work does not fail other work', async () => {
  await insertMark('b2');
  const outcomes = await Promise.allSettled([
    insertMark('b1'),
    insertMark('b2'),
    sharedTransaction(db, 'b3', () => Promise.reject(new Error('failed'))),
    insertMark('b4'),
  ]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected', 'fulfilled'],
  );
  const marks = await listMarks(db, 'b%');
  assert.deepEqual(
    marks.map(({ customer_id }) => customer_id),
    ['b2', 'b1', 'b4'],
  );
});

test('work of one customer runs in separate transactions, and other customers do not wait for all of them', async () => {
  const completedNames: string[] = [];
  const floodOfOneCustomer = Array.from({ length: 30 }, (_, n) =>
    insertMark('c0', n).then((name) => void completedNames.push(name)),
  );
  await insertMark('c1').then((name) => void completedNames.push(name));
  assert.ok(completedNames.length < 10, `completed before the other customer: ${completedNames.length}`);
  await Promise.all(floodOfOneCustomer);
  const marks = await listMarks(db, 'c0');
  assert.equal(new Set(marks.map(({ tx }) => tx)).size, 30);
});

test('a locked customer does not delay others, and is processed once the lock is released', async () => {
  await db.run(sql`insert into marks (customer_id, n) values ('e0', 0)`);
  const lock = (tx: Tx) => tx.run(sql`select from marks where customer_id = 'e0' for update`);
  const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const blockingTransaction = db.transaction(async (tx) => {
    await lock(tx);
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  const waitingCalls = Array.from({ length: 3 }, () => sharedTransaction(db, 'e0', lock));
  assert.deepEqual(await Promise.all([insertMark('e1'), insertMark('e2')]), ['e1 1', 'e2 1']);
  released.resolve();
  await Promise.all([blockingTransaction, ...waitingCalls]);
});

test('at most a hundred calls of one customer wait; further calls get 503', async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 110 }, (_, n) => insertMark('d', n)));
  const refusals = outcomes.filter(({ status }) => status === 'rejected');
  assert.equal(refusals.length, 10);
  assert.match((refusals[0] as PromiseRejectedResult).reason.message, /Too many operations are in progress/);
});

test('callbacks after the commit run once, even for work that is repeated because other work failed', async () => {
  const callbacks: string[] = [];
  const insertAndRecordCommit = (customerId: string, n: number) =>
    sharedTransaction(db, customerId, async (tx) => {
      tx.afterCommit(() => callbacks.push(customerId));
      await tx.run(sql`insert into marks (customer_id, n) values (${customerId}, ${n})`);
    });
  await insertAndRecordCommit('f1', 1);
  await Promise.allSettled([
    insertAndRecordCommit('f0', 1),
    insertAndRecordCommit('f1', 1),
    insertAndRecordCommit('f2', 1),
  ]);
  assert.deepEqual(callbacks.toSorted(), ['f0', 'f1', 'f2']);
});

test('work with a common key runs in separate transactions, other work shares a transaction', async () => {
  // Call 1 has a key in common with calls 2 and 6; calls 3, 4 and 5 have none in common with it.
  const insertWithKeys = (keys: string[], n: number) =>
    shareTransactions(db, keys).transaction(async (tx) => {
      await tx.run(sql`insert into marks (customer_id, n) values ('g', ${n})`);
    });
  await Promise.all([
    insertWithKeys(['a', 'b'], 1),
    insertWithKeys(['b'], 2),
    insertWithKeys([], 3),
    insertWithKeys(['c'], 4),
    insertWithKeys([], 5),
    insertWithKeys(['a'], 6),
  ]);
  const marks = await db.rows<{ n: number; tx: string }>(
    sql`select n, tx::text as tx from marks where customer_id = 'g' order by n`,
  );
  const transactionsByNumber = new Map(marks.map(({ n, tx }) => [n, tx]));
  assert.equal(new Set([1, 3, 4, 5].map((n) => transactionsByNumber.get(n))).size, 1);
  assert.notEqual(transactionsByNumber.get(2), transactionsByNumber.get(1));
  assert.notEqual(transactionsByNumber.get(6), transactionsByNumber.get(1));
});
