import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { openMigratedDb } from '../../../test/harness.ts';
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
import { buildLinkHeader } from './pagination.ts';
import { MAX_COUNTED, waitForCounts } from './totals.ts';

type Row = { id: number; created_at: Date; kind: string };
/** The current time, which the filters of these lists do not use. */
const UNUSED_TIME = new Date(0);
const db = await openMigratedDb();
await db.run(
  sql`create table things (id int primary key, created_at timestamptz not null, kind text not null)`,
);
await db.run(sql`create index on things (created_at desc, id desc)`);
// Three rows for each hour around midnight in São Paulo (03:00 UTC), with the same timestamp within an hour.
await db.run(sql`
  insert into things select n, timestamptz '2026-02-16T00:00Z' + (n / 3) * interval '1 hour', 'kind ' || n % 2
  from generate_series(0, 29) as n`);

const buildQuery = (where: ListQuery<Row>['where'] = []): ListQuery<Row> => ({
  select: sql`select id, created_at, kind from things`,
  where,
  orderBy: [sql`created_at`, sql`id`],
  keyOf: ({ created_at, id }) => [created_at, id],
});
const readIds = async (listQuery: ListQuery<Row>, page: Parameters<typeof queryListPage>[2]) =>
  (await queryListPage(db, listQuery, page)).rows.map(({ id }) => id);

test('rows are sorted newest or oldest first, with a tie-breaker, so no page repeats or skips a row', async () => {
  for (const sort of ['newest', 'oldest'] as const) {
    const pagedIds: number[] = [];
    for (let page = 1; page <= 8; page++)
      pagedIds.push(...(await readIds(buildQuery(), { page, limit: 4, sort })));
    const expectedIds = Array.from({ length: 30 }, (_, n) => n);
    assert.deepEqual(pagedIds, sort === 'oldest' ? expectedIds : expectedIds.toReversed());
  }
});

test('the last page has the remaining rows; a page past the end is empty but has the total', async () => {
  assert.deepEqual(await readIds(buildQuery(), { page: 8, limit: 4 }), [1, 0]);
  assert.deepEqual(await queryListPage(db, buildQuery(), { page: 9, limit: 4 }), {
    total: 30,
    rows: [],
  });
  assert.equal((await queryListPage(db, buildQuery(), { page: 1, limit: 30 })).rows.length, 30);
  assert.deepEqual(await queryListPage(db, buildQuery([sql`kind = 'none'`]), { page: 1, limit: 4 }), {
    total: 0,
    rows: [],
  });
});

test('all conditions apply, to the rows and to the total', async () => {
  const listQuery = buildQuery([sql`kind = ${'kind 1'}`, sql`id < ${10}`]);
  const { total, rows } = await queryListPage<Row>(db, listQuery, { page: 2, limit: 2 });
  assert.deepEqual([total, rows.map(({ id }) => id)], [5, [5, 3]], 'the matching ids are 9, 7, 5, 3, 1');
});

test('the sum covers all matching rows, whatever the page', async () => {
  const listQuery = { ...buildQuery([sql`id < ${10}`]), sumColumn: sql`id` };
  assert.equal((await queryListPage(db, listQuery, { page: 2, limit: 2 })).sumCents, 45, '0 + 1 + ... + 9');
  assert.equal(
    (await queryListPage(db, { ...listQuery, where: [sql`id < 0`] }, { page: 1, limit: 2 })).sumCents,
    0,
  );
});

const thingList = defineList({
  select: sql`select id, created_at, kind from things`,
  filters: filterByDays('Added', sql`created_at`),
  orderBy: [sql`created_at`, sql`id`],
  keyOf: ({ created_at, id }: Row) => [created_at, id],
});

test('days are São Paulo days, from the first instant until before the next day', async () => {
  const findByDays = (days: { from?: string; to?: string }) =>
    readIds(buildListQuery(thingList, days, UNUSED_TIME), { page: 1, limit: 30, sort: 'oldest' });
  assert.deepEqual(
    await findByDays({ to: '2026-02-15' }),
    [0, 1, 2, 3, 4, 5, 6, 7, 8],
    'until 23:59 of Sunday there',
  );
  const [firstIdOfMonday] = await findByDays({ from: '2026-02-16' });
  assert.equal(firstIdOfMonday, 9, 'Monday begins at 03:00 UTC');
  assert.equal((await findByDays({ from: '2026-02-15', to: '2026-02-16' })).length, 30);
  assert.deepEqual(await findByDays({ from: '2026-02-17' }), []);
  assert.equal((await findByDays({})).length, 30);
});

test('the newest page is read from the index, without sorting', async () => {
  const plan = await db.transaction(async (tx) => {
    await tx.run(sql`set local enable_seqscan = off`);
    return tx.rows<{ 'QUERY PLAN': string }>(
      sql`explain select id, created_at, kind from things where true order by created_at desc, id desc limit 4`,
    );
  });
  const text = plan.map((line) => line['QUERY PLAN']).join('\n');
  assert.match(text, /Index Scan/);
  assert.doesNotMatch(text, /Sort/);
});

test('rows of a selective filter are found by their own index and sorted, page by page', async () => {
  const filteredQuery = { ...buildQuery(), searchCondition: sql`kind = ${'kind 1'}` };
  const seenIds: number[] = [];
  let pageRequest: Parameters<typeof queryListPage>[2] = { page: 1, limit: 4 };
  for (;;) {
    const { rows, next, total } = await queryListPage(db, filteredQuery, pageRequest);
    assert.equal(total, 15);
    seenIds.push(...rows.map(({ id }) => id));
    if (next === undefined) break;
    pageRequest = { page: 1, limit: 4, after: next };
  }
  assert.deepEqual(seenIds, await readIds(buildQuery([sql`kind = ${'kind 1'}`]), { page: 1, limit: 20 }));
  const statements: string[] = [];
  const recordingDb = {
    ...db,
    rows(statement: Sql) {
      statements.push(statement.text);
      return db.rows(statement);
    },
  };
  await queryListPage(recordingDb as typeof db, filteredQuery, { page: 1, limit: 4 });
  assert.ok(
    statements.every((text) => !/order by created_at /.test(text)),
    'the index of the order is not scanned for them',
  );
});

test('pages by cursor continue after a row and back before it', async () => {
  for (const sort of ['newest', 'oldest'] as const) {
    const seenIds: number[] = [];
    let pageRequest: Parameters<typeof queryListPage>[2] = { page: 1, limit: 7, sort };
    const firstIds: number[] = [];
    for (;;) {
      const { rows, next, total } = await queryListPage<Row>(db, buildQuery(), pageRequest);
      seenIds.push(...rows.map(({ id }) => id));
      firstIds.push(rows[0]!.id);
      assert.equal(total, 30);
      if (!next) break;
      pageRequest = { page: 1, limit: 7, sort, after: next };
    }
    const expectedIds = Array.from({ length: 30 }, (_, n) => n);
    assert.deepEqual(seenIds, sort === 'oldest' ? expectedIds : expectedIds.toReversed());
    for (const firstId of firstIds.toReversed().slice(1)) {
      const { prev } = await queryListPage<Row>(db, buildQuery(), pageRequest);
      pageRequest = { page: 1, limit: 7, sort, before: prev! };
      assert.equal((await queryListPage<Row>(db, buildQuery(), pageRequest)).rows[0]!.id, firstId);
    }
    assert.equal(
      (await queryListPage<Row>(db, buildQuery(), pageRequest)).prev,
      undefined,
      'nothing is before the first',
    );
  }
});

test('the links of a page keep its filters and replace its own cursor', () => {
  for (const ownCursor of [{ before: 'own' }, { after: 'own' }]) {
    const query = { page: 2, limit: 7, sort: 'newest', ...ownCursor };
    const links = buildLinkHeader('/things', query, 30, { next: 'b', prev: 'a' }).split(', ');
    assert.deepEqual(
      links.map((link) => /[?](.*)>/.exec(link)![1]),
      [
        'limit=7&sort=newest&page=1',
        'limit=7&sort=newest&page=1&before=a',
        'limit=7&sort=newest&page=3&after=b',
        'limit=7&sort=newest&page=5',
      ],
    );
  }
});

test('an invalid cursor is an invalid parameter', async () => {
  const encodeCursor = (key: unknown) => Buffer.from(JSON.stringify(key)).toString('base64url');
  const invalidKeys = [['soon', 1], [1], {}, ['2026-02-16T00:00:00Z', 'one']];
  for (const after of ['x', ...invalidKeys.map(encodeCursor)])
    await assert.rejects(
      queryListPage(db, buildQuery(), { page: 1, limit: 4, after }),
      (error) => error instanceof Problem && error.kind.code === 'validation_failed',
      after,
    );
});

test('long lists are estimated, then counted once in the background; deep pages require a cursor', async () => {
  await db.run(sql`create table many (id int primary key, cents bigint not null)`);
  await db.run(sql`insert into many select n, 2 from generate_series(1, ${MAX_COUNTED + 500}) as n`);
  await db.run(sql`analyze many`);
  const buildManyQuery = (where: Sql[] = []): ListQuery<{ id: number }> => ({
    select: sql`select id, cents from many`,
    where,
    orderBy: [sql`id`],
    keyOf: ({ id }) => [id],
    sumColumn: sql`cents`,
  });
  const page = { page: 1, limit: 2 };
  const shortPage = await queryListPage(db, buildManyQuery([sql`id <= ${MAX_COUNTED}`]), page);
  assert.deepEqual(
    [shortPage.total, shortPage.sumCents, shortPage.isEstimated],
    [MAX_COUNTED, 2 * MAX_COUNTED, undefined],
    'exact up to the limit',
  );
  const filteredPage = await queryListPage(db, buildManyQuery([sql`id > ${0}`]), page);
  assert.ok(
    filteredPage.isEstimated && filteredPage.total > MAX_COUNTED,
    'estimated with values in the filter, too',
  );
  const estimatedPage = await queryListPage(db, buildManyQuery(), page);
  assert.deepEqual([estimatedPage.sumCents, estimatedPage.isEstimated], [undefined, true]);
  assert.ok(
    estimatedPage.total > MAX_COUNTED && estimatedPage.total < 2 * MAX_COUNTED,
    String(estimatedPage.total),
  );
  await Promise.all([queryListPage(db, buildManyQuery(), page), queryListPage(db, buildManyQuery(), page)]);
  await waitForCounts(db);
  const countedPage = await queryListPage(db, buildManyQuery(), page);
  assert.deepEqual(
    [countedPage.total, countedPage.sumCents, countedPage.isEstimated],
    [MAX_COUNTED + 500, 2 * (MAX_COUNTED + 500), true],
  );
  const exactPage = await db.transaction((tx) => queryListPage(tx, buildManyQuery(), page));
  assert.deepEqual([exactPage.total, exactPage.isEstimated], [MAX_COUNTED + 500, undefined]);
  const deepPage = { page: MAX_COUNTED, limit: 2 };
  await assert.rejects(queryListPage(db, buildManyQuery(), deepPage), Problem);
  assert.deepEqual(
    (await queryListPage(db, buildManyQuery([sql`id < 100`]), deepPage)).rows,
    [],
    'past the end of a short list',
  );
  const { rows } = await queryListPage<{ id: number }>(db, buildManyQuery(), {
    ...deepPage,
    after: Buffer.from('[3]').toString('base64url'),
  });
  assert.deepEqual(
    rows.map(({ id }) => id),
    [2, 1],
  );
});

test('only filters in use add conditions, with the values that they resolve to', async () => {
  const list = defineList({
    select: sql`select id, created_at, kind from things`,
    where: sql`id < 20`,
    filters: {
      kind: filterBy(Type.String(), sql`kind`),
      minId: filterBy(Type.Integer(), (minId: number) => sql`id >= ${minId}`),
    },
    orderBy: [sql`created_at`, sql`id`],
    keyOf: ({ created_at, id }: Row) => [created_at, id],
  });
  const find = (values: FilterValues<typeof list.filters>) =>
    readIds(buildListQuery(list, values, UNUSED_TIME), { page: 1, limit: 30, sort: 'oldest' });
  assert.equal((await find({})).length, 20);
  assert.deepEqual(await find({ kind: 'kind 1', minId: 15 }), [15, 17, 19]);
});

test('a list with a search requires a search resolver', () => {
  const list = defineList({
    select: sql`select id, created_at, kind from things`,
    filters: {},
    search: { description: 'The id.', idColumns: [sql`id`] },
    orderBy: [sql`id`],
    keyOf: ({ id }: Row) => [id],
  });
  const declareEndpoint = () =>
    listEndpoint('GET /admin/things', { db, clock: { now: () => UNUSED_TIME } }, list, {
      id: 'listThings',
      summary: 'List things',
      page: 'A page of things.',
      item: Type.Object({}),
      render: () => [],
    });
  assert.throws(declareEndpoint, /has a search/);
});
