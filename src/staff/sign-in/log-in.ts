import type { Static } from 'typebox';
import { countFailures, purgeAttempts, releaseAttempts } from '#platform/http/attempt-limits.ts';
import { NOBODYS_HASH } from '#platform/passwords/argon2.ts';
import type { Hasher } from '#platform/passwords/hashers.ts';
import { invalidCredentials } from '#platform/passwords/problems.ts';
import { recordCreation } from '#platform/privacy/trail.ts';
import type { Staff } from '../staff.ts';
import { wrongLogins } from './limits.ts';
import type { Entered, LoginForm } from './schemas.ts';
import { type Browser, openSession } from './sessions.ts';
import { findPersonByEmail, lockPerson, markPassword } from './store.ts';

type SignInResponse = Static<typeof Entered>;

/** An unknown e-mail takes as long as a wrong password. */
export async function logIn(
  staff: Staff,
  { email: given, password }: Static<typeof LoginForm>,
  { browser, requestId }: { browser: Browser; requestId: string },
): Promise<SignInResponse> {
  const { db, clock, vault, hashers, mode } = staff;
  const email = given.trim().toLowerCase();
  const limits = wrongLogins(vault, email, browser.address);
  const entered = await hashers.inTurn({ keyId: 'staff', address: browser.address }, (hasher) => {
    const now = clock.now();
    return countFailures<SignInResponse | undefined>(
      db,
      { counted: Object.values(limits), now, isFailed: (found) => found === undefined },
      () => open(hasher, now),
    );
  });
  if (!entered) throw invalidCredentials();
  return entered;

  async function open(hasher: Hasher, now: Date): Promise<SignInResponse | undefined> {
    const found = await findPersonByEmail(db, email);
    const hash = found?.password_hash ?? null;
    const { right, renewed } = await hasher.check(password, hash ?? NOBODYS_HASH);
    if (!right || !found || hash === null) return undefined;
    return db.transaction(async (tx) => {
      const person = await lockPerson(tx, found.id);
      if (person?.password_hash !== hash) return undefined; // changed during the hashing
      await purgeAttempts(tx, limits.pair);
      await releaseAttempts(tx, [limits.ofEmail, limits.fromAddress], now);
      if (renewed) await markPassword(tx, person.id, renewed);
      const session = await openSession(tx, person, { browser, mode, now });
      const actor = { id: person.id, address: browser.address, requestId };
      const change = { actor, action: 'signInStaff', now };
      await recordCreation(tx, change, { kind: 'staff_session', id: session.session_id }, {});
      return session;
    });
  }
}
