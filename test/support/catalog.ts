import type { Db } from '#platform/database/db.ts';
import { listPage } from '#platform/http/listing.ts';
import { listedLeads, openLead } from '../../src/catalog/lead-store.ts';

/** The leads whose name begins so, decrypted. */
export async function leadsNamed(db: Db, beginning: string) {
  const { rows } = await listPage(db, listedLeads(db.vault, {}), { page: 1, limit: 100_000 });
  return rows.map((row) => openLead(db.vault, row)).filter(({ name }) => name.startsWith(beginning));
}
