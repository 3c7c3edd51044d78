import type { Db } from '#platform/db.ts';
import { listLeads } from './lead-store.ts';

/** The leads of whose name this is a beginning, opened. */
export async function leadsNamed(db: Db, beginning: string) {
  const { leads } = await listLeads(db, {}, { offset: 0, limit: 100_000 });
  return leads.filter(({ name }) => name.startsWith(beginning));
}
