import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { openService } from '../../test/harness.ts';
import { personalDataIn } from '../modules.ts';

const service = await openService({ demo: false });

/** Columns of text that identify no person: ids, states and codes, by the end of their name. */
const IMPERSONAL =
  /[._](id|ids|hash|status|kind|type|by|key|slug|reference|version|source|template|channel|purpose|role|sha256|txid|code|outcome|ended_reason|merchant_name)$/;
/** The other columns of tables whose rows an erasure keeps, each with a reason. */
const NOT_OF_PERSONS = new Set([
  // Fields of persons in entries of the audit trail are erased by the table of the entity.
  ...['actor', 'address', 'action', 'before', 'after', 'reason'].map((name) => `audit_trail.${name}`),
  // Those that the catalog declares as personal are erased.
  ...['events.data', 'partner_events.data', 'event_sequences.purchase'],
  // Ids, words of a list, and figures.
  ...['approvals.subject', 'message_subjects.about', 'ledger_entries.account', 'pix_moves.side'],
  ...['moment', 'decided', 'reasons', 'facts'].map((name) => `credit_decisions.${name}`),
  ...['installments.history', 'installments.overdue_told', 'receipts.left_at', 'customer_notes.author'],
  // Codes and texts of the bank.
  ...['pix_charges.location', 'pix_authorisations.reason', 'pix_debits.reason', 'pix_refunds.reason'],
  // The simulator: the payer is erased in the terms.
  ...['terms', 'ended', 'updates'].map((name) => `psp_sim_recs.${name}`),
]);
/** Keyed hashes of addresses. */
const KEYED_HASHES = new Set(['known_addresses.address', 'member_sessions.address']);

test('every column with text of a person is encrypted, deleted or overwritten by an erasure', async () => {
  const columns = await service.db.rows<{ table: string; name: string; type: string }>(sql`
    select table_name as table, column_name as name, data_type as type from information_schema.columns
    where table_schema = 'public' and data_type in ('text', 'jsonb', 'bytea', 'ARRAY')`);
  const withoutRule = personalDataIn('sandbox')
    .flatMap((data) => Object.entries(data.tables ?? {}))
    .flatMap(([table, { encrypted = [], erases = [] }]) => {
      if (erases === 'delete') return [];
      const covered = new Set([...erases, ...encrypted.map(({ column }) => column)]);
      return columns
        .filter((column) => column.table === table && !covered.has(column.name))
        .map(({ name }) => `${table}.${name}`)
        .filter((name) => !IMPERSONAL.test(name) && !KEYED_HASHES.has(name));
    });
  assert.deepEqual(
    withoutRule.filter((name) => !NOT_OF_PERSONS.has(name)),
    [],
    'erase the column in personalData of its module, or add it to the list with a reason',
  );
  const keptTables = new Set(
    personalDataIn('sandbox').flatMap(({ tables: all = {} }) =>
      Object.entries(all).flatMap(([table, { erases }]) => (erases === 'delete' ? [] : [table])),
    ),
  );
  const bytes = columns.filter(({ table, type }) => type === 'bytea' && keptTables.has(table));
  const encryptedColumns = new Set(
    personalDataIn('sandbox').flatMap(({ tables: all = {} }) =>
      Object.entries(all).flatMap(([table, { encrypted = [] }]) =>
        encrypted.map(({ column }) => `${table}.${column}`),
      ),
    ),
  );
  assert.deepEqual(
    bytes
      .map(({ table, name }) => `${table}.${name}`)
      .filter((name) => !encryptedColumns.has(name) && !KEYED_HASHES.has(name) && !/_hash$/.test(name)),
    [],
    'bytes are keyed hashes, or declared as encrypted',
  );
});
