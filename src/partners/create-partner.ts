import type { Clock } from '#platform/clock.ts';
import type { Queryable } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { insertPartner } from './store.ts';

/** Returns the id, or undefined if the name is taken. */
export async function createPartner(db: Queryable, name: string, clock: Clock): Promise<string | undefined> {
  const createdAt = clock.now();
  const id = newId('ptn', createdAt);
  return (await insertPartner(db, { id, name, createdAt })) ? id : undefined;
}
