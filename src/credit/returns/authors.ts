import { listMemberNames } from '#members';
import type { Queryable } from '#platform/database/db.ts';
import { listNames } from '#staff';

/** What those who made returns are called: people of the operator and members of merchants. A merchant's server has no name. */
export async function nameAuthors(
  db: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const [people, members] = await Promise.all([listNames(db, ids), listMemberNames(db, ids)]);
  return new Map([...people, ...members]);
}
