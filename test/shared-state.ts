import assert from 'node:assert/strict';
import type { Db } from '#platform/database/db.ts';
import { buildStatement } from './query.ts';

/** Tables that all files read. Files may add rows, but change and delete only their own. */
const COMMON_TABLES = [
  'merchants',
  'categories',
  'faq_entries',
  'posts',
  'partners',
  'staff_members',
  'members',
  '(select id, phone_hash, credit_limit_cents, locked_at, erased_at from customers)',
  '(select id, scopes, allowed_origins, return_origins, requests_per_minute, expires_at, revoked_at from api_keys)',
];
/** Tables whose rows apply to all files. */
const GLOBAL_TABLES = [
  'credit_policies',
  'psp_sim_settings',
  'signing_keys',
  '(select offset_ms from sandbox_clock where offset_ms <> 0)',
];

/** Reads the state in which each file must leave a shared service. Returns a function that fails if the state differs. */
export async function watchSharedState(db: Db): Promise<() => Promise<void>> {
  const commonRows = await readRows(db, COMMON_TABLES);
  const globalRows = await readRows(db, GLOBAL_TABLES);
  return async () => {
    const remainingRows = new Set(await readRows(db, COMMON_TABLES));
    const changedRows = commonRows.filter((row) => !remainingRows.has(row));
    assert.deepEqual(changedRows, [], 'The file changed rows that other files read.');
    const remainingGlobalRows = await readRows(db, GLOBAL_TABLES);
    assert.deepEqual(remainingGlobalRows, globalRows, 'The file changed rows that apply to other files.');
  };
}

/** Reads rows as texts of their tables and values. */
async function readRows(db: Db, tables: string[]): Promise<string[]> {
  const selects = tables.map((table) => `select $$${table} $$ || row::text as row from ${table} row`);
  const rows = await db.rows<{ row: string }>(buildStatement(selects.join(' union all ')));
  return rows.map(({ row }) => row);
}
