import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMigratedDb } from '../../../test/harness.ts';
import { type Sql, sql } from './sql.ts';

const db = await openMigratedDb();

test('values are parameters, never SQL text', async () => {
  const injection = `'; drop table things; --`;
  const statement = sql`select ${injection}::text as said, ${null}::int as nothing`;
  assert.equal(statement.text, 'select $1::text as said, $2::int as nothing');
  assert.deepEqual(await db.row(statement), { said: injection, nothing: null });
});

test('each place in the source is one prepared statement, regardless of its values', () => {
  const selectValue = (value: unknown) => sql`select ${value}`;
  assert.equal(selectValue(1).name, selectValue('two').name);
  assert.notEqual(selectValue(1).name, sql`select ${1} as other`.name);
});

test('fragments become one statement: parameters are numbered consecutively, and values keep their order', async () => {
  const isBetween = (from: number, to: number): Sql => sql`n between ${from} and ${to}`;
  const statement = sql`
    select n, ${'a'}::text as first from generate_series(1, ${9}) as n where ${isBetween(3, 5)} and n <> ${4}`;
  assert.deepEqual(statement.values, ['a', 9, 3, 5, 4]);
  assert.match(statement.text, /\$1::text.*series\(1, \$2\).*between \$3 and \$4 and n <> \$5/s);
  assert.deepEqual(await db.rows(statement), [
    { n: 3, first: 'a' },
    { n: 5, first: 'a' },
  ]);
});

test('fragments may be nested, repeated, empty, and at both ends of a statement', async () => {
  const firstFragment = sql`${1}::int`;
  const sum = sql`(${firstFragment} + ${firstFragment})`;
  const statement = sql`${sql`select`} ${sum} * ${sum} + ${2}::int as n ${sql``}`;
  assert.deepEqual(statement.values, [1, 1, 1, 1, 2]);
  assert.deepEqual(await db.row(statement), { n: 6 }); // (1 + 1) * (1 + 1) + 2
});

test('statements of different fragments at the same place have different names', async () => {
  const selectOrderedBy = (order: Sql) => sql`select n from generate_series(1, 2) as n order by ${order}`;
  const [ascending, descending] = [selectOrderedBy(sql`n`), selectOrderedBy(sql`n desc`)];
  assert.notEqual(ascending.name, descending.name);
  assert.equal(selectOrderedBy(sql`n`).text, ascending.text);
  assert.deepEqual(
    [await db.rows(ascending), await db.rows(descending)],
    [
      [{ n: 1 }, { n: 2 }],
      [{ n: 2 }, { n: 1 }],
    ],
  );
});

test('a value and a fragment at the same place are distinguished', async () => {
  const selectText = (value: unknown) => sql`select ${value}::text as shown`;
  assert.deepEqual(await db.row(selectText('now()')), { shown: 'now()' });
  assert.deepEqual(await db.row(selectText(sql`upper(${'a'})`)), { shown: 'A' });
  assert.deepEqual(await db.row(selectText('upper')), { shown: 'upper' });
});
