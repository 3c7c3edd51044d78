import type { Static } from 'typebox';
import type { Db } from '#platform/database/db.ts';
import { limitFailures, purgeAttempts, releasePendingAttempts } from '#platform/http/attempt-limits.ts';
import { toNetwork } from '#platform/http/network.ts';
import { dummyHash } from '#platform/passwords/argon2.ts';
import type { Hasher } from '#platform/passwords/hashers.ts';
import { invalidCredentials } from '#platform/passwords/problems.ts';
import { recordAuditEntry } from '#platform/privacy/audit-trail.ts';
import type { StaffDeps } from '../staff.ts';
import { wrongLoginCounters } from './limits.ts';
import type { LoginForm, SessionOpened } from './schemas.ts';
import { type Browser, openSession } from './sessions.ts';
import { findCredentialsByEmail, listVerifiedAddresses, lockCredentials, updatePassword } from './store.ts';

type SignInResponse = Static<typeof SessionOpened>;

/** An unknown e-mail takes as long as a wrong password. */
export async function logIn(
  deps: StaffDeps,
  { email: emailInput, password }: Static<typeof LoginForm>,
  { browser, requestId }: { browser: Browser; requestId: string },
): Promise<SignInResponse> {
  const { db, clock, vault, hashers, mode } = deps;
  const email = emailInput.trim().toLowerCase();
  const limits = wrongLoginCounters(vault, {
    email,
    address: browser.address,
    isKnown: await isKnownAddress(db, email, browser.address),
  });
  const session = await hashers.withHasher({ keyId: 'staff', ipAddress: browser.address }, (hasher) => {
    const now = clock.now();
    return limitFailures<SignInResponse | undefined>(
      db,
      { counters: Object.values(limits), now, isFailed: (result) => result === undefined },
      () => open(hasher, now),
    );
  });
  if (!session) throw invalidCredentials();
  return session;

  async function open(hasher: Hasher, now: Date): Promise<SignInResponse | undefined> {
    const found = await findCredentialsByEmail(db, email);
    const hash = found?.password_hash ?? null;
    const { right, renewed } = await hasher.verify(password, hash ?? dummyHash());
    if (!right || !found || hash === null) return undefined;
    return db.transaction(async (tx) => {
      const user = await lockCredentials(tx, found.id);
      // The password may have been changed while hashing.
      if (user?.password_hash !== hash) return undefined;
      await purgeAttempts(tx, limits.byEmailAndAddress);
      await releasePendingAttempts(tx, [limits.byEmail, limits.byAddress], now);
      if (renewed) await updatePassword(tx, user.id, renewed);
      const session = await openSession(tx, user, { browser, mode, now });
      const actor = { id: user.id, ipAddress: browser.address, requestId };
      const auditContext = { actor, action: 'signInStaff', now };
      await recordAuditEntry(tx, auditContext, { kind: 'staff_session', id: session.session_id }, {});
      return session;
    });
  }
}

/** Whether a staff user completed a sign-in from this network before. Sessions are retained for 30 days. */
async function isKnownAddress(db: Db, email: string, address: string): Promise<boolean> {
  const addresses = await listVerifiedAddresses(db, email);
  return addresses.some((known) => toNetwork(known.address) === toNetwork(address));
}
