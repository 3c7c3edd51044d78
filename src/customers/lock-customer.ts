import type { Db } from '#platform/db.ts';
import { markAllEnded } from './sessions/store.ts';
import { markLocked } from './store.ts';

/** No more logins, and an end to those there are, on every node. Undefined when there is no such customer. */
export async function lockCustomer(
  db: Db,
  idOrPhone: string,
  now: Date,
): Promise<{ id: string; endedSessions: number } | undefined> {
  return db.transaction(async (tx) => {
    const id = await markLocked(tx, idOrPhone, now);
    if (id === undefined) return undefined;
    const ended = await markAllEnded(tx, id, 'locked', now);
    return { id, endedSessions: ended.length };
  });
}
