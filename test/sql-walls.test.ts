import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listWalletTables } from '#platform/command-line/distribute.ts';
import { sql } from '#platform/database/db.ts';
import { openService } from './harness.ts';
import { readSources, type SourceFile } from './source.ts';
import { listTableOwners } from './table-owners.ts';

/**
 * Every table belongs to one module, and only that module's SQL names it: others use its index.ts. The owner is the module
 * in the name of the migration that creates the table: migrations/0008_pix.sql, 0014_pix_ids.sql.
 */
const sources = readSources();
const service = await openService({ demo: false });

type Named = { name: string };
const relations = (
  await service.db.rows<Named>(sql`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and relname <> 'schema_migrations'`)
).map(({ name }) => name);

const owners = listTableOwners();

/** Table names as words, so that neither `pix_charges_live` nor `events_of_checkout` is taken for a table. */
const anyRelation = new RegExp(`(?<![\\w.'-])(${relations.join('|')})(?![\\w'-])`, 'g');
const namedIn = (text: string) =>
  new Set(Array.from(withoutComments(text).matchAll(anyRelation), ([name]) => name));
const withoutComments = (text: string) => text.replace(/--.*$/gm, '');

type Statement = { text: string; within: string };

/** Every sql`...` of a file and the function it is in; ${...} may contain statements of its own. */
function statementsOf(text: string): Statement[] {
  const found: Statement[] = [];
  for (let at = text.indexOf('sql`'); at >= 0; at = text.indexOf('sql`', at + 1)) {
    let statement = '';
    let depth = 0;
    for (let i = at + 4; i < text.length; i++) {
      const opens = text.startsWith('${', i);
      if (depth === 0 && text[i] === '`') break;
      if (depth === 0 && !opens) statement += text[i];
      if (opens || (depth > 0 && text[i] === '{')) depth++;
      if (opens) i++;
      else if (depth > 0 && text[i] === '}') depth--;
    }
    found.push({ text: statement, within: functionAt(text, at) });
  }
  return found;
}

function functionAt(text: string, at: number): string {
  const names = Array.from(text.slice(0, at).matchAll(/function (\w+)|^(?:export )?const (\w+)/gm));
  return names.at(-1)?.[1] ?? names.at(-1)?.[2] ?? '';
}

/** Table names where SQL expects a table: not columns or aliases of the same name. */
const tablesOf = (statement: string) =>
  [...namedIn(statement)].filter((name) =>
    new RegExp(
      `\\b(from|join|into|update|table|using|truncate)\\s+(only\\s+)?${name}\\b|,\\s*${name}\\s+\\w`,
    ).test(withoutComments(statement)),
  );

const program = sources.filter(({ path, isTest }) => path.startsWith('src/') && !isTest);
const crossings = (file: SourceFile, statement: string): string[] =>
  tablesOf(statement)
    .filter((name) => owners.get(name) !== file.part)
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
    program.flatMap((file) => statementsOf(file.text).flatMap(({ text }) => crossings(file, text))),
    [],
  );
});

/** Tables distributed by customer on Citus: customers, and tables whose key begins with the customer. */
const distributed = new Set(await listWalletTables(service.db));

/** Statements over all customers, or before a customer is known: jobs, the operator's lists, lookups by txid. So is `purge…`. */
const WALKS = new Set([
  ...['countCheckouts', 'countCustomers', 'customerListQuery', 'listDataKeyVersions'],
  ...[
    'listDueCustomers',
    'listExpiringCashback',
    'findMessageCustomerId',
    'messageList',
    'countMessagesByOutcome',
    'countRemindersByStep',
    'listPendingMessages',
    'listNewlyOverdue',
    'listOutboxEvents',
  ],
  ...['findFirstChargeAt', 'findRefundKey', 'listDiscrepancies', 'listEndedRefunds'],
  ...[
    'listMerchantSales',
    'listNewestCustomers',
    'paymentList',
    'chargeList',
    'refundList',
    'findInstallmentCheckout',
  ],
  ...['checkoutList', 'listOverdueCustomers', 'movementList', 'referralList'],
  ...['eventList', 'findCheckoutCustomer'],
  ...[
    'sumPosted',
    'entriesBetween',
    'findFirstPostingAt',
    'sumByStatus',
    'sumByAge',
    'sumByDueDay',
    'sumByDay',
    'sumLateByDay',
    'sumReceived',
    'sumSalesByDay',
    'countGivenUpRefunds',
  ],
  ...['listMoves', 'listInstallmentsByOutstanding', 'listUnpaidCharges'],
  ...['sumRefunded', 'sumCharges', 'sumMovements'],
  ...[
    'countReviews',
    'countHeldRewards',
    'findDecisionCustomer',
    'listPastDecisions',
    'listShadowDecisions',
    'decisionList',
    'sumLosses',
  ],
  ...['listOpenRefunds', 'listTxidsToRecheck', 'listTxidsToSync'],
  ...['listAuthorisationsToReview', 'listAuthorisationsToSync', 'findNextReviewDay'],
  ...['listDebitsToCheck', 'listDebitsToCancelAtPsp', 'findNextCheck'],
  ...['authorisationList', 'debitList', 'countActiveAuthorisations', 'sumDebitAttempts', 'sumDebitRefusals'],
]);

test('a statement names the customer for every wallet table that it reads, and a lock always does', () => {
  const found = program.flatMap(({ path, text: source }) =>
    statementsOf(source)
      .filter(({ text }) => {
        const tables = Array.from(
          withoutComments(text).matchAll(/\b(?:from|join|update|using)\s+(\w+)/g),
          ([, name]) => name!,
        ).filter((name) => distributed.has(name));
        const filters = text.match(/\b(?:\w+\.)?customer_id\s*(?:=|>|in\b)|(?<![\w.])id\s*(?:=|>)/g) ?? [];
        return tables.length > filters.length;
      })
      .filter(({ text, within }) => {
        const walks = WALKS.has(within) || within.startsWith('purge');
        return !walks || /for (no key )?update/.test(text);
      })
      .map(({ within }) => `${path}: ${within}`),
  );
  assert.deepEqual(found, []);
});

test('views, and functions and triggers of the database, name only tables of one module', async () => {
  const bodies = await service.db.rows<Named & { body: string }>(sql`
    select proname as name, prosrc as body from pg_proc p
    where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    union all
    select relname, pg_get_viewdef(oid) from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'v'`);
  const mixed = bodies
    .map(({ name, body }) => ({ name, of: new Set(tablesOf(body).map((table) => owners.get(table))) }))
    .filter(({ of }) => of.size > 1);
  assert.deepEqual(mixed, []);
});

test('no trigger of a wallet table notifies, and no query calls a function over one, because neither works on shards', async () => {
  const functions = await service.db.rows<Named & { body: string; tables: string[] | null }>(sql`
    select proname as name, prosrc as body,
           (select array_agg(tgrelid::regclass::text) from pg_trigger where tgfoid = p.oid) as tables
    from pg_proc p where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`);
  const notifying = functions.filter(
    ({ body, tables }) => /pg_notify/.test(body) && tables?.some((table) => distributed.has(table)),
  );
  const reading = functions.filter(
    ({ body, tables }) => tables === null && tablesOf(body).some((table) => distributed.has(table)),
  );
  assert.deepEqual([notifying, reading], [[], []]);
});

test('a statement that names a table of another module is reported, also within another statement', () => {
  const file = { path: 'src/rewards/x.ts', part: 'rewards' } as SourceFile;
  const text = `sql\`select \${owed(sql\`(select 1 from checkouts where id = \${id})\`)} from customers c, events e\``;
  const found = statementsOf(text).flatMap((statement) => crossings(file, statement.text));
  assert.deepEqual(found.toSorted(), [
    'src/rewards/x.ts reads checkouts, which belongs to credit',
    'src/rewards/x.ts reads customers, which belongs to customers',
    'src/rewards/x.ts reads events, which belongs to events',
  ]);
});
