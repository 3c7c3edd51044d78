import type { Db } from '#platform/database/db.ts';
import { queryListPage } from '#platform/http/list-query.ts';
import { decryptLead, leadListQuery } from '../../src/catalog/leads/store.ts';

/** The leads whose name begins so, decrypted. */
export async function listLeadsNamed(db: Db, prefix: string) {
  const { rows } = await queryListPage(db, leadListQuery(db.vault, {}, new Date(0)), {
    page: 1,
    limit: 100_000,
  });
  return rows.map((row) => decryptLead(db.vault, row)).filter(({ name }) => name.startsWith(prefix));
}
