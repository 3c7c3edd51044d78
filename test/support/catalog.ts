import type { Db } from '#platform/database/db.ts';
import { queryListPage } from '#platform/http/list-query.ts';
import { buildLeadListQuery, decryptLead } from '../../src/catalog/leads/store.ts';

/** Returns the leads whose name begins with the prefix, decrypted. */
export async function listLeadsNamed(db: Db, prefix: string) {
  const { rows } = await queryListPage(db, buildLeadListQuery(db.vault, {}, new Date(0)), {
    page: 1,
    limit: 100_000,
  });
  return rows.map((row) => decryptLead(db.vault, row)).filter(({ name }) => name.startsWith(prefix));
}
