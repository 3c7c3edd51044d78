import type { Static } from 'typebox';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { limitFailures, purgeAttempts, releasePendingAttempts } from '#platform/http/attempt-limits.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import { dummyHash } from '#platform/passwords/argon2.ts';
import type { Hasher } from '#platform/passwords/hashers.ts';
import { Problem } from '#platform/problem.ts';
import type { CustomersDeps } from './customers.ts';
import { findOrigin, wrongPasswordCounters } from './limits.ts';
import { invalidCredentials } from './problems.ts';
import type { Login, PasswordLogin } from './schemas.ts';
import { buildLoginResponse, type IssuedSession, openSession } from './sessions/open-session.ts';
import { findLoginByPhone, lockLoginByPhone, updatePassword } from './store.ts';

/**
 * An attempt is counted as failed when it starts, so that only five of a hundred concurrent guesses are compared with the password.
 * A success undoes the count. Customers without a password, locked customers and unknown phones take as long as a wrong password.
 */
export async function logInByPassword(
  deps: CustomersDeps,
  { phone, password }: Static<typeof PasswordLogin>,
  caller: Caller,
): Promise<Static<typeof Login>> {
  const { db, clock, hashers, metrics } = deps;
  const { partnerId, ipAddress, deviceId } = caller;
  const session = await hashers.withHasher(caller, async (hasher) => {
    const now = clock.now();
    const limits = wrongPasswordCounters(deps, await findOrigin(deps, phone, caller));
    const counters = Object.values(limits);
    return limitFailures(db, { counters, now, isFailed }, () => open(hasher, limits, now)).catch(countLocked);
  });

  metrics.logins.inc({ method: 'password', outcome: session ? 'granted' : 'refused' });
  if (!session) throw invalidCredentials();
  return buildLoginResponse(deps, session);

  async function open(
    hasher: Hasher,
    { byPhoneAndAddress, byPhone, byAddress }: ReturnType<typeof wrongPasswordCounters>,
    startedAt: Date,
  ): Promise<IssuedSession | undefined> {
    const login = await findLoginByPhone(db, phone);
    const hash = login?.password_hash ?? null;
    const { right, renewed } = await hasher.verify(password, hash ?? dummyHash());
    if (!right || !login || hash === null) return undefined;
    return customerTransaction(db, login.id, async (tx) => {
      const customer = await lockLoginByPhone(tx, phone);
      // The customer may have been locked, or the password changed, while hashing.
      if (!customer || customer.locked_at || customer.password_hash !== hash) return undefined;
      // A success clears the failures of this phone from this IP address; in the other counters it only undoes this attempt.
      await purgeAttempts(tx, byPhoneAndAddress);
      await releasePendingAttempts(tx, [byPhone, byAddress], startedAt);
      if (renewed) await updatePassword(tx, customer.id, renewed);
      return openSession(tx, deps, { principalId: customer.id, partnerId, ipAddress, deviceId });
    });
  }

  function countLocked(error: unknown): never {
    if (error instanceof Problem && error.kind.status === 429)
      metrics.logins.inc({ method: 'password', outcome: 'locked' });
    throw error;
  }
}

const isFailed = (session: IssuedSession | undefined) => session === undefined;
