import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { openEmptyDb } from '../../../test/harness.ts';
import { type Sql, sql } from '../database/db.ts';
import { Problem } from '../problem.ts';
import {
  buildListQuery,
  defineList,
  type FilterValues,
  filterBy,
  filterByDays,
  listEndpoint,
} from './list.ts';
import { type ListQuery, queryListPage } from './list-query.ts';
import { MAX_COUNTED, waitForCounts } from './totals.ts';

type Row = { id: number; at: Date; kind: string };
const db = await openEmptyDb();
await db.run(sql`create table things (id int primary key, at timestamptz not null, kind text not null)`);
await db.run(sql`create index on things (at desc, id desc)`);
// Three rows for each hour around midnight in São Paulo (03:00 UTC), with the same timestamp within an hour.
await db.run(sql`
  insert into things select n, timestamptz '2026-02-16T00:00Z' + (n / 3) * interval '1 hour', 'kind ' || n % 2
  from generate_series(0, 29) as n`);

const things = (where: ListQuery<Row>['where'] = []): ListQuery<Row> => ({
  select: sql`select id, at, kind from things`,
  where,
  orderBy: [sql`at`, sql`id`],
  keyOf: ({ at, id }) => [at, id],
});
const ids = async (listing: ListQuery<Row>, page: Parameters<typeof queryListPage>[2]) =>
  (await queryListPage(db, listing, page)).rows.map(({ id }) => id);

test('rows are sorted newest or oldest first, with a tie-breaker, so no page repeats or skips a row', async () => {
  for (const sort of ['newest', 'oldest'] as const) {
    const all: number[] = [];
    for (let page = 1; page <= 8; page++) all.push(...(await ids(things(), { page, limit: 4, sort })));
    const right = Array.from({ length: 30 }, (_, n) => n);
    assert.deepEqual(all, sort === 'oldest' ? right : right.toReversed());
  }
});

test('the last page has the remaining rows; a page past the end is empty but has the total', async () => {
  assert.deepEqual(await ids(things(), { page: 8, limit: 4 }), [1, 0]);
  assert.deepEqual(await queryListPage(db, things(), { page: 9, limit: 4 }), { total: 30, rows: [] });
  assert.equal((await queryListPage(db, things(), { page: 1, limit: 30 })).rows.length, 30);
  assert.deepEqual(await queryListPage(db, things([sql`kind = 'none'`]), { page: 1, limit: 4 }), {
    total: 0,
    rows: [],
  });
});

test('all conditions apply, to the rows and to the total', async () => {
  const listing = things([sql`kind = ${'kind 1'}`, sql`id < ${10}`]);
  const { total, rows } = await queryListPage<Row>(db, listing, { page: 2, limit: 2 });
  assert.deepEqual([total, rows.map(({ id }) => id)], [5, [5, 3]]);
});

test('the sum covers all matching rows, whatever the page', async () => {
  const listing = { ...things([sql`id < ${10}`]), sumColumn: sql`id` };
  assert.equal((await queryListPage(db, listing, { page: 2, limit: 2 })).sumCents, 45);
  assert.equal(
    (await queryListPage(db, { ...listing, where: [sql`id < 0`] }, { page: 1, limit: 2 })).sumCents,
    0,
  );
});

const thingList = defineList({
  select: sql`select id, at, kind from things`,
  filters: filterByDays('Added', sql`at`),
  orderBy: [sql`at`, sql`id`],
  keyOf: ({ at, id }: Row) => [at, id],
});

test('days are São Paulo days, from the first instant until before the next day', async () => {
  const on = (days: { from?: string; to?: string }) =>
    ids(buildListQuery(thingList, days, new Date(0)), { page: 1, limit: 30, sort: 'oldest' });
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

test('the newest page is read from the index, without sorting', async () => {
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

test('a selective filter is found by its own index and sorted, page by page', async () => {
  const few = { ...things(), filter: sql`kind = ${'kind 1'}` };
  const seen: number[] = [];
  let at: Parameters<typeof queryListPage>[2] = { page: 1, limit: 4 };
  for (;;) {
    const { rows, next, total } = await queryListPage(db, few, at);
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
  await queryListPage(heard as typeof db, few, { page: 1, limit: 4 });
  assert.ok(
    texts.every((text) => !/order by at /.test(text)),
    'the index of the order is not walked in search of them',
  );
});

test('by cursor, pages continue from a row and back to it, whatever was added meanwhile', async () => {
  for (const sort of ['newest', 'oldest'] as const) {
    const seen: number[] = [];
    let at: Parameters<typeof queryListPage>[2] = { page: 1, limit: 7, sort };
    const firsts: number[] = [];
    for (;;) {
      const { rows, next, total } = await queryListPage<Row>(db, things(), at);
      seen.push(...rows.map(({ id }) => id));
      firsts.push(rows[0]!.id);
      assert.equal(total, 30);
      if (!next) break;
      at = { page: 1, limit: 7, sort, after: next };
    }
    const right = Array.from({ length: 30 }, (_, n) => n);
    assert.deepEqual(seen, sort === 'oldest' ? right : right.toReversed());
    for (const first of firsts.toReversed().slice(1)) {
      const { prev } = await queryListPage<Row>(db, things(), at);
      at = { page: 1, limit: 7, sort, before: prev! };
      assert.equal((await queryListPage<Row>(db, things(), at)).rows[0]!.id, first);
    }
    assert.equal((await queryListPage<Row>(db, things(), at)).prev, undefined, 'nothing is before the first');
  }
});

test('an invalid cursor is an invalid parameter', async () => {
  const text = (key: unknown) => Buffer.from(JSON.stringify(key)).toString('base64url');
  for (const after of ['x', text(['soon', 1]), text([1]), text({}), text(['2026-02-16T00:00:00Z', 'one'])])
    await assert.rejects(
      queryListPage(db, things(), { page: 1, limit: 4, after }),
      (error) => error instanceof Problem && error.kind.code === 'validation_failed',
      after,
    );
});

test('long lists are estimated, then counted once in the background; deep pages require a cursor', async () => {
  const most = MAX_COUNTED;
  await db.run(sql`create table many (id int primary key, cents bigint not null)`);
  await db.run(sql`insert into many select n, 2 from generate_series(1, ${most + 500}) as n`);
  await db.run(sql`analyze many`);
  const many = (where: Sql[] = []): ListQuery<{ id: number }> => ({
    select: sql`select id, cents from many`,
    where,
    orderBy: [sql`id`],
    keyOf: ({ id }) => [id],
    sumColumn: sql`cents`,
  });
  const page = { page: 1, limit: 2 };
  const few = await queryListPage(db, many([sql`id <= ${most}`]), page);
  assert.deepEqual(
    [few.total, few.sumCents, few.isEstimated],
    [most, 2 * most, undefined],
    'exact up to there',
  );
  const asked = await queryListPage(db, many([sql`id > ${0}`]), page);
  assert.ok(asked.isEstimated && asked.total > most, 'with values in the filter, too');
  const first = await queryListPage(db, many(), page);
  assert.deepEqual([first.sumCents, first.isEstimated], [undefined, true]);
  assert.ok(first.total > most && first.total < 2 * most, String(first.total));
  await Promise.all([queryListPage(db, many(), page), queryListPage(db, many(), page)]);
  await waitForCounts(db);
  const then = await queryListPage(db, many(), page);
  assert.deepEqual([then.total, then.sumCents, then.isEstimated], [most + 500, 2 * (most + 500), true]);
  const exact = await db.transaction((tx) => queryListPage(tx, many(), page));
  assert.deepEqual([exact.total, exact.isEstimated], [most + 500, undefined]);
  const far = { page: most, limit: 2 };
  await assert.rejects(queryListPage(db, many(), far), Problem);
  assert.deepEqual(
    (await queryListPage(db, many([sql`id < 100`]), far)).rows,
    [],
    'past the end of a short list',
  );
  const { rows } = await queryListPage<{ id: number }>(db, many(), {
    ...far,
    after: Buffer.from('[3]').toString('base64url'),
  });
  assert.deepEqual(
    rows.map(({ id }) => id),
    [2, 1],
  );
});

test('only filters in use add conditions, with the values that they resolve to', async () => {
  const list = defineList({
    select: sql`select id, at, kind from things`,
    where: sql`id < 20`,
    filters: {
      kind: filterBy(Type.String(), sql`kind`),
      least: filterBy(Type.Integer(), (least: number) => sql`id >= ${least}`),
    },
    orderBy: [sql`at`, sql`id`],
    keyOf: ({ at, id }: Row) => [at, id],
  });
  const find = (values: FilterValues<typeof list.filters>) =>
    ids(buildListQuery(list, values, new Date(0)), { page: 1, limit: 30, sort: 'oldest' });
  assert.equal((await find({})).length, 20);
  assert.deepEqual(await find({ kind: 'kind 1', least: 15 }), [15, 17, 19]);
});

test('a list with a search has no endpoint without a resolver of searches', () => {
  const list = defineList({
    select: sql`select id, at, kind from things`,
    filters: {},
    search: { description: 'The id.', idColumns: [sql`id`] },
    orderBy: [sql`id`],
    keyOf: ({ id }: Row) => [id],
  });
  const declare = () =>
    listEndpoint('GET /admin/things', { db, clock: { now: () => new Date(0) } }, list, {
      id: 'listThings',
      summary: 'List things',
      page: 'A page of things.',
      item: Type.Object({}),
      render: () => [],
    });
  assert.throws(declare, /has a search/);
});
