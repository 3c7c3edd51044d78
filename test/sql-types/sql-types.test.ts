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

const { statements, unresolved, unused } = findStatements(
  compiler,
  compiler.programFiles
    .filter(({ text }) => /sql`|\.(?:rows|row|run|queueWrite)\b/.test(text))
    .map(({ path }) => path),
);

/** Mismatches that are reported although the statement is correct, each with the reason why it is correct. */
const FALSE_REPORTS: ReadonlyArray<{ folder: string; message: RegExp; reason: string }> = [
  {
    folder: 'src/credit/',
    message: /^installment(?:s|_ids) can be null/,
    reason: 'a purchase has at least one installment',
  },
  {
    folder: 'src/credit/figures/sums-store.ts',
    message: /^day can be null/,
    reason: 'a change of a purchase has `late_after`, and a change of an installment has its due days',
  },
  {
    folder: 'src/platform/http/list-query.ts',
    message: /`cursorKey\[i\]` is/,
    reason: '`keyOf` returns the values of the columns in `orderBy`, whatever their types are',
  },
  {
    folder: 'src/platform/http/list-query.ts',
    message: /^(?:id|person_sealed|credit_limit_cents|created_at|referral_code) can be null/,
    reason:
      '`buildSelectedCustomersQuery` joins customers by left join, and each selected id is that of a customer',
  },
  {
    folder: 'src/platform/command-line/backup.ts',
    message: /^schema "public" already exists$/,
    reason: 'the previous statement drops the schema',
  },
];

/** `sql` templates of the database layer itself: it begins transactions, joins statements to batches, and renders `Columns`. */
const IN_DATABASE_LAYER = /^src\/platform\/database\/(?:db|sql|columns)\.ts:/;

/** Statements whose table is a parameter, so they cannot be resolved. The test of personal data runs each of them. */
const ON_ANY_TABLE = /^src\/platform\/privacy\/personal-tables\.ts:/;
/** The `where` conditions that the rules of personal data add to the statements of `ON_ANY_TABLE`. */
const IN_PERSONAL_DATA_RULES =
  /\/personal-data\.ts:|^src\/platform\/privacy\/|^src\/(?:sandbox|back-office|events)\//;

test('every statement of the program is found', () => {
  assert.ok(statements.length > 500, `only ${statements.length} were found`);
  assert.deepEqual(
    unresolved.filter((location) => !ON_ANY_TABLE.test(location)),
    [],
  );
  assert.deepEqual(
    unused.filter((location) => !IN_DATABASE_LAYER.test(location) && !IN_PERSONAL_DATA_RULES.test(location)),
    [],
  );
});

test('every statement matches the schema, and its rows and parameters match their types', async () => {
  const mismatches = await checkStatements(compiler, describer, statements);
  const isFalseReport = (
    mismatch: (typeof mismatches)[number],
    { folder, message }: (typeof FALSE_REPORTS)[number],
  ) => mismatch.location.startsWith(folder) && message.test(mismatch.message);
  assert.deepEqual(
    mismatches
      .filter((mismatch) => !FALSE_REPORTS.some((report) => isFalseReport(mismatch, report)))
      .map(({ location, message }) => `${location}: ${message}`),
    [],
  );
  assert.deepEqual(
    FALSE_REPORTS.filter((report) => !mismatches.some((mismatch) => isFalseReport(mismatch, report))),
    [],
    'no longer reported: remove it from FALSE_REPORTS',
  );
});

test('a wrong column, a wrong type and a missing null are reported, also in parts of statements', async () => {
  const examples = findStatements(compiler, [EXAMPLES]);
  assert.deepEqual(examples.unresolved, []);
  const mismatches = await checkStatements(compiler, describer, examples.statements);
  const lines = readFileSync(join(PROJECT, EXAMPLES), 'utf8').split('\n');
  const expectedMessages = lines.flatMap((line) => /^ {2}\/\/ (.*)$/.exec(line)?.[1] ?? []);
  /** The messages of the mismatches, in the order of the lines. */
  const reportedMessages = lines.flatMap((line, i) => {
    if (!/^ {2}await /.test(line)) return [];
    const location = `${EXAMPLES}:${i + 1}`;
    const messages = mismatches
      .filter((mismatch) => mismatch.location.endsWith(location))
      .map(({ message }) => message);
    return [...new Set(messages)];
  });
  assert.deepEqual(reportedMessages, expectedMessages);
});
