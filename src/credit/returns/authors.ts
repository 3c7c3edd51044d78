import { listMemberNames } from '#members';
import type { Queryable } from '#platform/database/db.ts';
import { listStaffNames } from '#staff';

/** Names of staff users and members of merchants who returned purchases, by id. API keys have no name. */
export async function listAuthorNames(
  db: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const [people, members] = await Promise.all([listStaffNames(db, ids), listMemberNames(db, ids)]);
  return new Map([...people, ...members]);
}
