import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMigratedDb } from '../../../test/harness.ts';
import { column, columns, type RowOf } from './columns.ts';
import { sql } from './sql.ts';

const thingColumns = columns({
  id: column.text(),
  kind: column.text<'small' | 'large'>(),
  cents: column.bigint(),
  count: column.integer(),
  part: column.smallint(),
  due_on: column.date().nullable(),
  created_at: column.timestamptz(),
  is_new: column.boolean(),
  tags: column.textArray(),
  data: column.jsonb<{ a: number }>().nullable(),
});
type Thing = RowOf<typeof thingColumns>;

const db = await openMigratedDb();
await db.run(sql`
  create table things (id text primary key, kind text not null, cents bigint not null, count integer not null,
    part smallint not null, due_on date, created_at timestamptz not null, is_new boolean not null, tags text[] not null, data jsonb)`);

const createThing = (id: string): Thing => ({
  id,
  kind: 'small',
  cents: 12_345,
  count: 2,
  part: 1,
  due_on: '2026-03-02',
  created_at: new Date('2026-03-01T12:00:00.123Z'),
  is_new: true,
  tags: ['a "b"', 'c'],
  data: { a: 1 },
});
const createMinimalThing = (id: string): Thing => ({
  ...createThing(id),
  due_on: null,
  tags: [],
  data: null,
});

const insertOne = (row: Thing) => sql`insert into things ${thingColumns.values(row)} returning *`;
const insertEach = (rows: readonly Thing[]) =>
  sql`insert into things ${thingColumns.valuesFromJson(rows)} returning *`;

test('inserted rows are read back unchanged, one by one and many together', async () => {
  assert.deepEqual(await db.row(insertOne(createThing('one'))), createThing('one'));
  assert.deepEqual(await db.row(insertOne(createMinimalThing('two'))), createMinimalThing('two'));
  const several = [createThing('three'), createMinimalThing('four')];
  assert.deepEqual(await db.rows(insertEach(several)), several);
  assert.deepEqual(await db.rows(insertEach([])), []);
});

test('a statement stays one prepared statement, whatever the order of keys and the additional fields of a row', async () => {
  const { id, ...otherFields } = createThing('reversed');
  const rowWithOtherField = { ...otherFields, id, customerId: 'no column' };
  assert.equal(insertOne(rowWithOtherField).name, insertOne(createThing('a')).name);
  assert.deepEqual(await db.row(insertOne(rowWithOtherField)), createThing('reversed'));
  assert.equal(insertEach([rowWithOtherField]).name, insertEach([]).name);
});

test('the first column can be an SQL expression, and an existing row can be replaced', async () => {
  const replacement = { ...createThing('one'), cents: 1, kind: 'large' as const };
  const rows = await db.rows(sql`
    insert into things ${thingColumns.valuesFromJson([{ ...replacement, id: 'other' }], sql`${'one'}::text`)}
    on conflict (id) do update set ${thingColumns.excluded} returning *`);
  assert.deepEqual(rows, [replacement]);
});
