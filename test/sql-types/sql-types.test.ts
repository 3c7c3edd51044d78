import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { copyDatabase, dropDatabase } from '../harness.ts';
import { checkStatements } from './compare.ts';
import { Compiler } from './compiler.ts';
import { Describer } from './describe.ts';
import { findStatements } from './statements.ts';

const compiler = new Compiler();
const databaseUrl = await copyDatabase('semana_empty');
const describer = await Describer.open(databaseUrl);
after(async () => {
  compiler.close();
  await describer.close();
  await dropDatabase(databaseUrl);
});

const paths = compiler.program
  .filter(({ text }) => /sql`|\.(?:rows|row|run|write)\b/.test(text))
  .map(({ path }) => path);
const found = findStatements(compiler, paths);

test('every statement of the program is found', () => {
  assert.deepEqual(found.unresolved, []);
  assert.deepEqual(
    found.unused.filter((place) => !/^src\/platform\/database\/(?:db|batchable)\.ts/.test(place)),
    [],
  );
});

test('every statement fits the schema, and its rows and parameters their types', async () => {
  assert.deepEqual(await checkStatements(compiler, describer, found.statements), []);
});
