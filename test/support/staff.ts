import type { Role } from '#platform/http/access.ts';
import { newId } from '#platform/ids.ts';
import { ensureStaffUser } from '#staff';
import type { SharedService } from '../harness.ts';

/** Creates a staff user with an API key that all nodes know. An invitation would issue no key, and choosing a password is slow. */
export async function newStaffUser(
  { db, clock, waitForEarlierCommits }: Pick<SharedService, 'db' | 'clock' | 'waitForEarlierCommits'>,
  name: string,
  role: Role,
): Promise<{ id: string; key: string }> {
  const id = newId('stf', clock.now());
  const key = `test-key-of-${id}`;
  await db.transaction((tx) =>
    ensureStaffUser(tx, { id, name, role }, { mode: 'sandbox', clock, secret: key }),
  );
  await waitForEarlierCommits();
  return { id, key };
}
