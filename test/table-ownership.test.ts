import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listWalletTables } from '#platform/command-line/distribute.ts';
import { sql } from '#platform/database/db.ts';
import { openMigratedDb } from './harness.ts';
import { readSources, type SourceFile } from './source.ts';
import { listTableOwners } from './table-owners.ts';

// Every table belongs to one module, and only the SQL of that module names it: other modules use its index.ts. The name of the
// migration that creates a table says its owner: migrations/0008_pix.sql, 0014_pix_ids.sql.

const sources = readSources();
const db = await openMigratedDb();

type NameRow = { name: string };
const relations = (
  await db.rows<NameRow>(sql`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and relname <> 'schema_migrations'`)
).map(({ name }) => name);

const owners = listTableOwners();

/** Matches names of tables as whole words: `pix_charges_live` and `events_of_checkout` do not match. */
const RELATION_NAME = new RegExp(`(?<![\\w.'-])(${relations.join('|')})(?![\\w'-])`, 'g');
const findNames = (text: string) =>
  new Set(Array.from(removeComments(text).matchAll(RELATION_NAME), ([name]) => name));
const removeComments = (text: string) => text.replace(/--.*$/gm, '');

type Statement = { text: string; functionName: string };

/** Finds every sql`...` of a file with the function that contains it. A ${...} in it may contain further statements. */
function findStatements(text: string): Statement[] {
  const statements: Statement[] = [];
  const opening = 'sql`';
  for (let start = text.indexOf(opening); start >= 0; start = text.indexOf(opening, start + 1)) {
    let statement = '';
    /** The number of braces that are open within a ${...}. */
    let depth = 0;
    // Copies the text of the template, without the expressions in its ${...}.
    for (let i = start + opening.length; i < text.length; i++) {
      const opens = text.startsWith('${', i);
      if (depth === 0 && text[i] === '`') break;
      if (depth === 0 && !opens) statement += text[i];
      if (opens || (depth > 0 && text[i] === '{')) depth++;
      if (opens) i++;
      else if (depth > 0 && text[i] === '}') depth--;
    }
    statements.push({ text: statement, functionName: findFunctionName(text, start) });
  }
  return statements;
}

/** Finds the last function or top-level constant that is declared before the position. */
function findFunctionName(text: string, position: number): string {
  const names = Array.from(text.slice(0, position).matchAll(/function (\w+)|^(?:export )?const (\w+)/gm));
  return names.at(-1)?.[1] ?? names.at(-1)?.[2] ?? '';
}

/** Finds names of tables where SQL expects a table, which leaves out columns and aliases of the same name. */
const findTables = (statement: string) =>
  [...findNames(statement)].filter((name) =>
    new RegExp(
      `\\b(from|join|into|update|table|using|truncate)\\s+(only\\s+)?${name}\\b|,\\s*${name}\\s+\\w`,
    ).test(removeComments(statement)),
  );

const programFiles = sources.filter(({ path, isTest }) => path.startsWith('src/') && !isTest);
/** Lists the tables in a statement of this file that belong to another module. */
const findForeignTables = (file: SourceFile, statement: string): string[] =>
  findTables(statement)
    .filter((name) => owners.get(name) !== file.topDirectory)
    .map((name) => `${file.path} reads ${name}, which belongs to ${owners.get(name)}`);

test('every table and view has an owner: the module after which its migration is named', () => {
  assert.deepEqual(
    relations.filter((name) => !owners.has(name)),
    [],
    'name the migration NNNN_<module>_<what>.sql',
  );
});

test('only the SQL of its owner names a table', () => {
  assert.deepEqual(
    programFiles.flatMap((file) =>
      findStatements(file.text).flatMap(({ text }) => findForeignTables(file, text)),
    ),
    [],
  );
});

/** Tables that Citus distributes by customer: customers, and tables whose key begins with the customer. */
const distributedTables = new Set(await listWalletTables(db));

/** Functions that read all customers, or a customer whose id is not known yet: jobs, lists for staff, lookups by txid. Functions named `purge…` may, too. */
const FUNCTIONS_OVER_ALL_CUSTOMERS = new Set([
  'authorisationList',
  'buildCustomerListQuery',
  'buildSelectedCustomersQuery',
  'chargeList',
  'checkoutList',
  'clearObsoleteChecks',
  'countActiveAuthorisations',
  'countCheckouts',
  'countCustomers',
  'countGivenUpRefunds',
  'countHeldRewards',
  'countMessagesByOutcome',
  'countPendingReviews',
  'countPostings',
  'countRemindersByStep',
  'debitList',
  'decisionList',
  'defineMessageList',
  'eventList',
  'findCheckoutCustomer',
  'findDecisionCustomerId',
  'findFirstChargeTime',
  'findFirstPostingAt',
  'findInstallmentCheckout',
  'findMessageCustomerId',
  'findNextCheckTime',
  'findNextReviewDay',
  'findRefundKey',
  'invitationList',
  'listAuthorisationsToReview',
  'listAuthorisationsToSync',
  'listDataKeyVersions',
  'listTxidsToCancelAtPsp',
  'listTxidsToCheck',
  'listDiscrepancies',
  'listDueCustomerIds',
  'listEndedRefunds',
  'listExpiringCashback',
  'listInstallmentsByOutstanding',
  'listMerchantSales',
  'listMoves',
  'listNewestCustomerIds',
  'listNewlyOverdueCustomers',
  'listOpenRefunds',
  'listOutboxEvents',
  'listPastDecisions',
  'listPendingMessages',
  'listShadowDecisions',
  'listTxidsToRecheck',
  'listTxidsToSync',
  'listUnpaidCharges',
  'movementList',
  'paymentList',
  'refundList',
  'selectEntriesBetween',
  'selectOverdueCustomers',
  'sumCharges',
  'sumDebitAttempts',
  'sumDebitRefusals',
  'sumLosses',
  'sumMovements',
  'sumPostings',
  'sumReceived',
  'sumRefunded',
  'sumSalesByDay',
  'deleteAndSumChanges',
]);

test('every function that may read all customers exists, and runs SQL', () => {
  const functionNames = new Set(
    programFiles.flatMap(({ text }) => findStatements(text).map(({ functionName }) => functionName)),
  );
  assert.deepEqual([...FUNCTIONS_OVER_ALL_CUSTOMERS.difference(functionNames)], []);
});

test('a statement filters every wallet table that it reads by customer; only functions over all customers may omit the filter, but not to lock rows', () => {
  const unfilteredStatements = programFiles.flatMap(({ path, text: source }) =>
    findStatements(source)
      .filter(({ text }) => {
        const tables = Array.from(
          removeComments(text).matchAll(/\b(?:from|join|update|using)\s+(\w+)/g),
          ([, name]) => name!,
        ).filter((name) => distributedTables.has(name));
        // Expects one customer filter for each wallet table.
        const filters = text.match(/\b(?:\w+\.)?customer_id\s*(?:=|>|in\b)|(?<![\w.])id\s*(?:=|>)/g) ?? [];
        return tables.length > filters.length;
      })
      .filter(({ text, functionName }) => {
        const readsAllCustomers =
          FUNCTIONS_OVER_ALL_CUSTOMERS.has(functionName) || functionName.startsWith('purge');
        return !readsAllCustomers || /for (no key )?update/.test(text);
      })
      .map(({ functionName }) => `${path}: ${functionName}`),
  );
  assert.deepEqual(unfilteredStatements, []);
});

test('views, and functions and triggers of the database, name only tables of one module', async () => {
  const bodies = await db.rows<NameRow & { body: string }>(sql`
    select proname as name, prosrc as body from pg_proc
    where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
    union all
    select relname, pg_get_viewdef(oid) from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'v'`);
  const sharedBodies = bodies
    .map(({ name, body }) => ({ name, modules: new Set(findTables(body).map((table) => owners.get(table))) }))
    .filter(({ modules }) => modules.size > 1);
  assert.deepEqual(sharedBodies, []);
});

test('no trigger of a wallet table notifies, and no function except of a trigger names a wallet table, because neither works on shards', async () => {
  const functions = await db.rows<NameRow & { body: string; tables: string[] | null }>(sql`
    select proname as name, prosrc as body,
           (select array_agg(tgrelid::regclass::text) from pg_trigger where tgfoid = pg_proc.oid) as tables
    from pg_proc where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')`);
  const notifyingTriggers = functions.filter(
    ({ body, tables }) => /pg_notify/.test(body) && tables?.some((table) => distributedTables.has(table)),
  );
  const readingFunctions = functions.filter(
    ({ body, tables }) => tables === null && findTables(body).some((table) => distributedTables.has(table)),
  );
  assert.deepEqual([notifyingTriggers, readingFunctions], [[], []]);
});

test('a statement that names a table of another module is reported, also within another statement', () => {
  const file = { path: 'src/rewards/x.ts', topDirectory: 'rewards' } as SourceFile;
  const text = `sql\`select \${owed(sql\`(select 1 from checkouts where id = \${id})\`)} from customers c, events e\``;
  const violations = findStatements(text).flatMap((statement) => findForeignTables(file, statement.text));
  assert.deepEqual(violations.toSorted(), [
    'src/rewards/x.ts reads checkouts, which belongs to credit',
    'src/rewards/x.ts reads customers, which belongs to customers',
    'src/rewards/x.ts reads events, which belongs to events',
  ]);
});
