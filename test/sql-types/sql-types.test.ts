import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { copyDatabase, dropDatabase } from '../harness.ts';
import { PROJECT } from '../project.ts';
import { checkStatements } from './compare.ts';
import { Compiler } from './compiler.ts';
import { Describer } from './describe.ts';
import { findStatements } from './statements.ts';

const EXAMPLES = 'test/sql-types/examples.ts';

const compiler = new Compiler([EXAMPLES]);
const databaseUrl = await copyDatabase('semana_empty');
const describer = await Describer.open(databaseUrl);
after(async () => {
  compiler.close();
  await describer.close();
  await dropDatabase(databaseUrl);
});

const found = findStatements(
  compiler,
  compiler.program.filter(({ text }) => /sql`|\.(?:rows|row|run|write)\b/.test(text)).map(({ path }) => path),
);

/** Reported faults that are none. */
const KNOWN: ReadonlyArray<{ at: string; fault: RegExp; because: string }> = [
  {
    at: 'src/credit/',
    fault: /^installment(?:s|_ids) can be null/,
    because: 'a purchase has at least one installment',
  },
  {
    at: 'src/platform/http/list-query.ts',
    fault: /`cursorKey\[i\]` is/,
    because: '`keyOf` returns the values of the columns in `orderBy`, whatever their types are',
  },
  {
    at: 'src/platform/command-line/backup.ts',
    fault: /^schema "public" already exists$/,
    because: 'it is dropped by the statement before',
  },
];

/** Templates that are not in a store: those of the transaction itself, of `buildBatch`, and of `Columns`. */
const INNER = /^src\/platform\/database\/(?:db|sql|columns)\.ts:/;

/** Statements on tables whose names are data: the test of personal data runs each of them. */
const ON_ANY_TABLE = /^src\/platform\/privacy\/personal-tables\.ts:/;
/** Conditions of those statements. */
const CONDITIONS = /\/personal-data\.ts:|^src\/platform\/privacy\/|^src\/(?:sandbox|back-office|events)\//;

test('every statement of the program is found', () => {
  assert.ok(found.statements.length > 500, `only ${found.statements.length} were found`);
  assert.deepEqual(
    found.unresolved.filter((place) => !ON_ANY_TABLE.test(place)),
    [],
  );
  assert.deepEqual(
    found.unused.filter((place) => !INNER.test(place) && !CONDITIONS.test(place)),
    [],
  );
});

test('every statement matches the schema, and its rows and parameters match their types', async () => {
  const faults = await checkStatements(compiler, describer, found.statements);
  const isKnown = ({ place, fault }: (typeof faults)[number], { at, fault: known }: (typeof KNOWN)[number]) =>
    place.startsWith(at) && known.test(fault);
  assert.deepEqual(
    faults
      .filter((one) => !KNOWN.some((known) => isKnown(one, known)))
      .map(({ place, fault }) => `${place}: ${fault}`),
    [],
  );
  assert.deepEqual(
    KNOWN.filter((known) => !faults.some((one) => isKnown(one, known))),
    [],
    'no longer needed',
  );
});

test('a wrong column, a wrong type and a missing null are reported, also in parts of statements', async () => {
  const { statements, unresolved } = findStatements(compiler, [EXAMPLES]);
  assert.deepEqual(unresolved, []);
  const faults = await checkStatements(compiler, describer, statements);
  const lines = readFileSync(join(PROJECT, EXAMPLES), 'utf8').split('\n');
  const expected = lines.flatMap((line) => /^ {2}\/\/ (.*)$/.exec(line)?.[1] ?? []);
  /** The faults found, by line. */
  const reported = lines.flatMap((line, i) => {
    if (!/^ {2}await /.test(line)) return [];
    const place = `${EXAMPLES}:${i + 1}`;
    return new Set(faults.filter((one) => one.place.endsWith(place)).map(({ fault }) => fault))
      .values()
      .toArray();
  });
  assert.deepEqual(reported, expected);
});
