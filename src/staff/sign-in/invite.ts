import type { Static } from 'typebox';
import { HOUR_MS } from '#core/duration.ts';
import type { Queryable, Tx } from '#platform/database/db.ts';
import { randomBase62 } from '#platform/ids.ts';
import { recordCreation } from '#platform/privacy/trail.ts';
import type { Vault } from '#platform/vault.ts';
import type { Staff } from '../staff.ts';
import { emailTaken, inviteExpired } from './problems.ts';
import type { AcceptForm, Entered } from './schemas.ts';
import { type Browser, openSession } from './sessions.ts';
import {
  findInvited,
  lockPerson,
  markAccepted,
  markInvited,
  markSessionsEnded,
  type Person,
} from './store.ts';

const INVITE_MS = 48 * HOUR_MS;

const hashOf = (vault: Vault, token: string) => vault.hash('staff invitation', token);

/** The address is shown once. Earlier password, second factors and sessions end: an invitation is also the way to recover an account. */
export async function invite(
  tx: Tx,
  { vault, inviteLink }: Pick<Staff, 'vault' | 'inviteLink'>,
  memberId: string,
  now: Date,
): Promise<{ invite_url: string; invite_expires_at: string }> {
  const token = randomBase62(32);
  const expiresAt = new Date(now.getTime() + INVITE_MS);
  await markInvited(tx, memberId, { hash: hashOf(vault, token), expiresAt });
  await markSessionsEnded(tx, memberId, '', now);
  return { invite_url: inviteLink.replace('{token}', token), invite_expires_at: expiresAt.toISOString() };
}

export async function findInvitation(
  { db, clock, vault }: Pick<Staff, 'clock' | 'vault'> & { db: Queryable },
  token: string,
): Promise<Person> {
  const person = await findInvited(db, hashOf(vault, token));
  if (!person?.invite_expires_at || person.invite_expires_at <= clock.now()) throw inviteExpired();
  return person;
}

/** The person chooses e-mail and password. In live mode a second factor has to follow before anything else. */
export async function acceptInvitation(
  staff: Staff,
  { token, email: given, password }: Static<typeof AcceptForm>,
  { browser, requestId }: { browser: Browser; requestId: string },
): Promise<Static<typeof Entered>> {
  const { db, clock, hashers, mode } = staff;
  const email = given.trim().toLowerCase();
  const { id, name } = await findInvitation(staff, token);
  const passwordHash = await hashers.inTurn({ keyId: 'staff', address: browser.address }, (hasher) =>
    hasher.hash(password, { name, email, phone: '' }),
  );
  return db.transaction(async (tx) => {
    await lockPerson(tx, id);
    // Checked again under the lock: an invitation works once.
    await findInvitation({ ...staff, db: tx }, token);
    if (!(await markAccepted(tx, id, { email, passwordHash }))) throw emailTaken();
    const now = clock.now();
    const actor = { id, address: browser.address, requestId };
    await recordCreation(tx, { actor, action: 'acceptInvitation', now }, { kind: 'staff', id }, { email });
    return openSession(tx, (await lockPerson(tx, id))!, { browser, mode, now });
  });
}
