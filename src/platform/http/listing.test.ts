import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEmptyDb } from '../../../test/harness.ts';
import { sql } from '../database/db.ts';
import { type Listing, listPage, onDays } from './listing.ts';

type Row = { id: number; at: Date; kind: string };
const db = await openEmptyDb();
await db.run(sql`create table things (id int primary key, at timestamptz not null, kind text not null)`);
await db.run(sql`create index on things (at desc, id desc)`);
// Three of each hour around midnight in São Paulo (03:00 UTC), those of an hour at the same instant.
await db.run(sql`
  insert into things select n, timestamptz '2026-02-16T00:00Z' + (n / 3) * interval '1 hour', 'kind ' || n % 2
  from generate_series(0, 29) as n`);

const things = (where: Listing<Row>['where'] = []): Listing<Row> => ({
  of: sql`select id, at, kind from things`,
  where,
  by: [sql`at`, sql`id`],
  keyOf: ({ at, id }) => [at, id],
});
const ids = async (listing: Listing<Row>, page: Parameters<typeof listPage>[2]) =>
  (await listPage(db, listing, page)).rows.map(({ id }) => id);

test('the newest first, or the oldest; those of one instant have an order, so no page repeats or skips one', async () => {
  for (const sort of ['newest', 'oldest'] as const) {
    const all: number[] = [];
    for (let page = 1; page <= 8; page++) all.push(...(await ids(things(), { page, limit: 4, sort })));
    const right = Array.from({ length: 30 }, (_, n) => n);
    assert.deepEqual(all, sort === 'oldest' ? right : right.toReversed());
  }
});

test('the last page has what is left; a page past the end is empty and has the total all the same', async () => {
  assert.deepEqual(await ids(things(), { page: 8, limit: 4 }), [1, 0]);
  assert.deepEqual(await listPage(db, things(), { page: 9, limit: 4 }), { total: 30, rows: [] });
  assert.equal((await listPage(db, things(), { page: 1, limit: 30 })).rows.length, 30);
  assert.deepEqual(await listPage(db, things([sql`kind = 'none'`]), { page: 1, limit: 4 }), {
    total: 0,
    rows: [],
  });
});

test('conditions count together, in the rows and in the total', async () => {
  const listing = things([sql`kind = ${'kind 1'}`, sql`id < ${10}`]);
  const { total, rows } = await listPage<Row>(db, listing, { page: 2, limit: 2 });
  assert.deepEqual([total, rows.map(({ id }) => id)], [5, [5, 3]]);
});

test('a sum is that of all that is found, whatever the page', async () => {
  const listing = { ...things([sql`id < ${10}`]), sum: sql`id` };
  assert.equal((await listPage(db, listing, { page: 2, limit: 2 })).sumCents, 45);
  assert.equal((await listPage(db, { ...listing, where: [sql`id < 0`] }, { page: 1, limit: 2 })).sumCents, 0);
});

test('days are those of São Paulo: from its first instant until before the first of the next', async () => {
  const on = (days: { from?: string; to?: string }) =>
    ids(things(onDays(sql`at`, days)), { page: 1, limit: 30, sort: 'oldest' });
  assert.deepEqual(
    await on({ to: '2026-02-15' }),
    [0, 1, 2, 3, 4, 5, 6, 7, 8],
    'until 23:59 of Sunday there',
  );
  assert.deepEqual((await on({ from: '2026-02-16' }))[0], 9, 'Monday begins at 03:00 UTC');
  assert.equal((await on({ from: '2026-02-15', to: '2026-02-16' })).length, 30);
  assert.deepEqual(await on({ from: '2026-02-17' }), []);
  assert.equal((await on({})).length, 30);
});

test('a page of the newest is read from the index, without sorting', async () => {
  const plan = await db.transaction(async (tx) => {
    await tx.run(sql`set local enable_seqscan = off`);
    return tx.rows<{ 'QUERY PLAN': string }>(
      sql`explain select id, at, kind from things where true order by at desc, id desc limit 4`,
    );
  });
  const text = plan.map((line) => line['QUERY PLAN']).join('\n');
  assert.match(text, /Index Scan/);
  assert.doesNotMatch(text, /Sort/);
});
