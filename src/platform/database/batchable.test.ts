import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMigratedDb } from '../../../test/harness.ts';
import { sql } from './db.ts';
import { batchable } from './sql.ts';

const db = await openMigratedDb();
await db.run(
  sql`create table marks (customer_id text, text text, position bigint generated always as identity)`,
);
// The trigger records the number of rows that each statement inserts.
await db.run(sql`create table statements (rows int)`);
await db.run(sql`
  create function record_statement() returns trigger language plpgsql as
    'begin insert into statements select count(*) from added; return null; end'`);
await db.run(sql`
  create trigger record_statement after insert on marks referencing new table as added
  for each statement execute function record_statement()`);

const insertMarks = batchable(
  (rows: ReadonlyArray<{ customerId: string; text: string }>, customerSql) => sql`
    insert into marks (customer_id, text)
    select ${customerSql}, input.text
    from unnest(${rows.map(({ customerId }) => customerId)}::text[], ${rows.map(({ text }) => text)}::text[])
         as input (customer_id, text)`,
);
const listMarks = batchable(
  (rows, customerSql) => sql`
    select mark.customer_id, mark.text
    from unnest(${rows.map(({ customerId }) => customerId)}::text[]) as input (customer_id)
    join marks mark on mark.customer_id = ${customerSql} order by mark.position`,
);
/** Returns one row count per insert since the last call. */
const takeRowCounts = async () =>
  (await db.rows<{ rows: number }>(sql`delete from statements returning rows`)).map(({ rows }) => rows);

test('concurrent rows of several customers become one statement, and each caller gets its own rows', async () => {
  const rowsByCaller = await db.transaction(async (tx) => {
    for (const customerId of ['a1', 'a2', 'a3'])
      tx.queueWrite(insertMarks({ customerId, text: `of ${customerId}` }));
    return Promise.all(['a3', 'nobody', 'a1'].map((customerId) => tx.rows(listMarks({ customerId }))));
  });
  assert.deepEqual(rowsByCaller, [
    [{ customer_id: 'a3', text: 'of a3' }],
    [],
    [{ customer_id: 'a1', text: 'of a1' }],
  ]);
  assert.deepEqual(await takeRowCounts(), [3]);
});

test('a statement has one row per customer: a second row follows later, in order', async () => {
  const texts = await db.transaction(async (tx) => {
    tx.queueWrite(insertMarks({ customerId: 'b1', text: 'first' }));
    tx.queueWrite(insertMarks({ customerId: 'b2', text: 'first' }));
    tx.queueWrite(insertMarks({ customerId: 'b1', text: 'second' }));
    const [firstRows] = await Promise.all([
      tx.rows<{ text: string }>(listMarks({ customerId: 'b1' })),
      tx.rows(listMarks({ customerId: 'b2' })),
    ]);
    return firstRows.map(({ text }) => text);
  });
  assert.deepEqual(texts, ['first', 'second']);
  assert.deepEqual(await takeRowCounts(), [2, 1]);
});

test('no row overtakes an earlier statement of its customer or one without a customer', async () => {
  const [earlierRows, countBefore, countAfter] = await db.transaction(async (tx) => {
    tx.queueWrite(insertMarks({ customerId: 'c1', text: 'of c1' }));
    const pendingEmptyList = tx.rows(listMarks({ customerId: 'c2' }));
    tx.queueWrite(insertMarks({ customerId: 'c2', text: 'of c2' }));
    const pendingCount = tx.row(sql`select count(*) from marks where customer_id like ${'c%'}`);
    tx.queueWrite(insertMarks({ customerId: 'c3', text: 'of c3' }));
    return Promise.all([
      pendingEmptyList,
      pendingCount,
      tx.row(sql`select count(*) from marks where customer_id like ${'c%'}`),
    ]);
  });
  assert.deepEqual(earlierRows, []);
  assert.deepEqual(countBefore, { count: 2 });
  assert.deepEqual(countAfter, { count: 3 });
  assert.deepEqual(await takeRowCounts(), [1, 1, 1], 'a read separates the inserts, so they are not merged');
});

test('a batchable statement can run outside of a transaction, for one customer', async () => {
  await db.rows(insertMarks({ customerId: 'd1', text: 'of d1' }));
  assert.deepEqual(await db.rows(listMarks({ customerId: 'd1' })), [{ customer_id: 'd1', text: 'of d1' }]);
});

test('a failing statement fails all its callers and the transaction', async () => {
  const failingTransaction = db.transaction((tx) =>
    Promise.all(
      ['e1', 'e2'].map((customerId) =>
        tx.rows(insertMarks({ customerId, text: customerId === 'e1' ? 'x' : '\0' })),
      ),
    ),
  );
  await assert.rejects(failingTransaction, /invalid byte sequence/);
  assert.deepEqual(await db.rows(listMarks({ customerId: 'e1' })), []);
});

test('shared statements are merged even if others are between them, and each caller gets its own rows', async () => {
  const customers = ['g1', 'g2', 'g3'];
  await takeRowCounts(); // discards those of earlier tests
  await Promise.all(
    customers.flatMap((customerId) => [
      db.shared.rows(insertMarks({ customerId, text: `of ${customerId}` })),
      db.shared.row(sql`select 1`),
    ]),
  );
  assert.deepEqual(await takeRowCounts(), [3]);
  const rowsByCaller = await Promise.all(
    customers.map((customerId) => db.shared.rows(listMarks({ customerId }))),
  );
  assert.deepEqual(
    rowsByCaller,
    customers.map((customer_id) => [{ customer_id, text: `of ${customer_id}` }]),
  );
});

test('a merged shared statement that fails is run for each customer alone, so the others succeed', async () => {
  await db.run(sql`alter table marks add constraint short check (length(text) < 20)`);
  const outcomes = await Promise.allSettled(
    ['fits', 'is far longer than it may be', 'fits'].map((text, i) =>
      db.shared.rows(insertMarks({ customerId: `h${i}`, text })),
    ),
  );
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.deepEqual((await takeRowCounts()).toSorted(), [1, 1], 'h0 and h2 are inserted alone');
});
