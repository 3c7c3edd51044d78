import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEmptyDb } from '../../../test/harness.ts';
import { type Sql, sql } from '../database/db.ts';
import { Problem } from '../problem.ts';
import { type Listing, listPage, onDays } from './listing.ts';
import { MOST_COUNTED, whenCounted } from './totals.ts';

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

test('what only few rows meet is found by its own index and sorted, page by page', async () => {
  const few = { ...things(), only: sql`kind = ${'kind 1'}` };
  const seen: number[] = [];
  let at: Parameters<typeof listPage>[2] = { page: 1, limit: 4 };
  for (;;) {
    const { rows, next, total } = await listPage(db, few, at);
    assert.equal(total, 15);
    seen.push(...rows.map(({ id }) => id));
    if (next === undefined) break;
    at = { page: 1, limit: 4, after: next };
  }
  assert.deepEqual(seen, await ids(things([sql`kind = ${'kind 1'}`]), { page: 1, limit: 20 }));
  const texts: string[] = [];
  const heard = {
    ...db,
    rows(statement: Sql) {
      texts.push(statement.text);
      return db.rows(statement);
    },
  };
  await listPage(heard as typeof db, few, { page: 1, limit: 4 });
  assert.ok(
    texts.every((text) => !/order by at /.test(text)),
    'the index of the order is not walked in search of them',
  );
});

test('by key, pages go on from a row and back to it, whatever was added above meanwhile', async () => {
  for (const sort of ['newest', 'oldest'] as const) {
    const seen: number[] = [];
    let at: Parameters<typeof listPage>[2] = { page: 1, limit: 7, sort };
    const firsts: number[] = [];
    for (;;) {
      const { rows, next, total } = await listPage<Row>(db, things(), at);
      seen.push(...rows.map(({ id }) => id));
      firsts.push(rows[0]!.id);
      assert.equal(total, 30);
      if (!next) break;
      at = { page: 1, limit: 7, sort, after: next };
    }
    const right = Array.from({ length: 30 }, (_, n) => n);
    assert.deepEqual(seen, sort === 'oldest' ? right : right.toReversed());
    for (const first of firsts.toReversed().slice(1)) {
      const { prev } = await listPage<Row>(db, things(), at);
      at = { page: 1, limit: 7, sort, before: prev! };
      assert.equal((await listPage<Row>(db, things(), at)).rows[0]!.id, first);
    }
    assert.equal((await listPage<Row>(db, things(), at)).prev, undefined, 'nothing is before the first');
  }
});

test('a cursor that is none is a wrong parameter', async () => {
  const text = (key: unknown) => Buffer.from(JSON.stringify(key)).toString('base64url');
  for (const after of ['x', text(['soon', 1]), text([1]), text({}), text(['2026-02-16T00:00:00Z', 'one'])])
    await assert.rejects(
      listPage(db, things(), { page: 1, limit: 4, after }),
      (error) => error instanceof Problem && error.kind.code === 'validation_failed',
      after,
    );
});

test('what is too much to count is estimated, then counted once in the background; far pages go by key', async () => {
  const most = MOST_COUNTED;
  await db.run(sql`create table many (id int primary key, cents bigint not null)`);
  await db.run(sql`insert into many select n, 2 from generate_series(1, ${most + 500}) as n`);
  await db.run(sql`analyze many`);
  const many = (where: Sql[] = []): Listing<{ id: number }> => ({
    of: sql`select id, cents from many`,
    where,
    by: [sql`id`],
    keyOf: ({ id }) => [id],
    sum: sql`cents`,
  });
  const page = { page: 1, limit: 2 };
  const few = await listPage(db, many([sql`id <= ${most}`]), page);
  assert.deepEqual(
    [few.total, few.sumCents, few.isEstimated],
    [most, 2 * most, undefined],
    'exact up to there',
  );
  const asked = await listPage(db, many([sql`id > ${0}`]), page);
  assert.ok(asked.isEstimated && asked.total > most, 'with values in the filter, too');
  const first = await listPage(db, many(), page);
  assert.deepEqual([first.sumCents, first.isEstimated], [undefined, true]);
  assert.ok(first.total > most && first.total < 2 * most, String(first.total));
  await Promise.all([listPage(db, many(), page), listPage(db, many(), page)]);
  await whenCounted(db);
  const then = await listPage(db, many(), page);
  assert.deepEqual([then.total, then.sumCents, then.isEstimated], [most + 500, 2 * (most + 500), true]);
  const exact = await db.transaction((tx) => listPage(tx, many(), page));
  assert.deepEqual([exact.total, exact.isEstimated], [most + 500, undefined]);
  const far = { page: most, limit: 2 };
  await assert.rejects(listPage(db, many(), far), Problem);
  assert.deepEqual((await listPage(db, many([sql`id < 100`]), far)).rows, [], 'past the end of a short list');
  const { rows } = await listPage<{ id: number }>(db, many(), {
    ...far,
    after: Buffer.from('[3]').toString('base64url'),
  });
  assert.deepEqual(
    rows.map(({ id }) => id),
    [2, 1],
  );
});
