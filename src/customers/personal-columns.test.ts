import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { openMigratedDb } from '../../test/harness.ts';
import { listPersonalData } from '../modules.ts';

const db = await openMigratedDb();

/** Matches text columns that identify no person, by the end of their name: ids, states and codes. */
const IMPERSONAL_SUFFIX =
  /[._](id|ids|hash|status|kind|type|by|key|slug|reference|version|source|template|channel|purpose|role|sha256|txid|code|outcome|ended_reason|merchant_name)$/;
/** Other columns without personal data, of tables whose rows an erasure does not delete. Each group has its reason. */
const IMPERSONAL_COLUMNS = new Set(
  [
    // The `auditTrail` rule of an entity's table erases personal fields in entries of the audit trail.
    ['actor', 'address', 'action', 'before', 'after', 'reason'].map((name) => `audit_trail.${name}`),
    // Fields that the event catalog declares as personal are erased.
    ['events.data', 'partner_events.data', 'event_sequences.purchase'],
    // Ids, enum values, and figures.
    ['approvals.subject', 'message_subjects.about', 'ledger_entries.account', 'pix_moves.side'],
    ['moment', 'decided', 'reasons', 'facts'].map((name) => `credit_decisions.${name}`),
    ['installments.history', 'installments.overdue_told', 'receipts.left_at', 'customer_notes.author'],
    ['credit_changes.new_installments'],
    // Codes and texts from the bank.
    ['pix_charges.location', 'pix_authorisations.reason', 'pix_debits.reason', 'pix_refunds.reason'],
    // The PSP simulator: the payer in `terms` is erased.
    ['terms', 'ended', 'updates'].map((name) => `psp_sim_recs.${name}`),
  ].flat(),
);
/** Keyed hashes of IP addresses. */
const KEYED_HASHES = new Set(['known_addresses.address', 'member_sessions.address']);

test('every column with text of a person is encrypted, deleted or overwritten by an erasure', async () => {
  const columns = await db.rows<{ table: string; name: string; type: string }>(sql`
    select table_name as table, column_name as name, data_type as type from information_schema.columns
    where table_schema = 'public' and data_type in ('text', 'jsonb', 'bytea', 'ARRAY')`);
  const declaredTables = listPersonalData('sandbox').flatMap((data) => Object.entries(data.tables ?? {}));
  const unprotectedColumns = declaredTables.flatMap(
    ([table, { encryptedColumns = [], erasedColumns = [] }]) => {
      if (erasedColumns === 'delete') return [];
      const protectedColumns = new Set([...erasedColumns, ...encryptedColumns.map(({ column }) => column)]);
      return columns
        .filter((column) => column.table === table && !protectedColumns.has(column.name))
        .map(({ name }) => `${table}.${name}`)
        .filter((name) => !IMPERSONAL_SUFFIX.test(name) && !KEYED_HASHES.has(name));
    },
  );
  assert.deepEqual(
    unprotectedColumns.filter((name) => !IMPERSONAL_COLUMNS.has(name)),
    [],
    'erase the column in personalData of its module, or add it to the list with a reason',
  );
  const retainedTables = new Set(
    declaredTables.flatMap(([table, { erasedColumns }]) => (erasedColumns === 'delete' ? [] : [table])),
  );
  const byteColumns = columns.filter(({ table, type }) => type === 'bytea' && retainedTables.has(table));
  const encryptedColumnNames = new Set(
    declaredTables.flatMap(([table, { encryptedColumns = [] }]) =>
      encryptedColumns.map(({ column }) => `${table}.${column}`),
    ),
  );
  assert.deepEqual(
    byteColumns
      .map(({ table, name }) => `${table}.${name}`)
      .filter((name) => !encryptedColumnNames.has(name) && !KEYED_HASHES.has(name) && !/_hash$/.test(name)),
    [],
    'a bytea column is a keyed hash, or is declared as encrypted',
  );
});
