import type { Static } from 'typebox';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { countFailures, purgeAttempts, releaseAttempts } from '#platform/http/attempt-limits.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import { NOBODYS_HASH } from '#platform/passwords/argon2.ts';
import type { Hasher } from '#platform/passwords/hashers.ts';
import { Problem } from '#platform/problem.ts';
import type { Customers } from './customers.ts';
import { findOrigin, wrongPasswords } from './limits.ts';
import { invalidCredentials } from './problems.ts';
import type { Login, PasswordLogin } from './schemas.ts';
import { answerLogin, type OpenSession, openSession } from './sessions/open-session.ts';
import { findLogin, lockLogin, markPassword } from './store.ts';

/**
 * An attempt is counted as failed when it begins, so that of a hundred concurrent guesses only five are compared with the password.
 * A success takes it back. Customers without a password, locked customers and unknown phones take as long as a wrong password.
 */
export async function logInByPassword(
  customers: Customers,
  { phone, password }: Static<typeof PasswordLogin>,
  caller: Caller,
): Promise<Static<typeof Login>> {
  const { db, clock, hashers, metrics } = customers;
  const { partnerId, address } = caller;
  const session = await hashers.inTurn(caller, async (hasher) => {
    const now = clock.now();
    const limits = wrongPasswords(customers, await findOrigin(customers, phone, address));
    const counted = Object.values(limits);
    return countFailures(db, { counted, now, isFailed }, () => open(hasher, limits, now)).catch(countLocked);
  });

  metrics.logins.inc({ method: 'password', outcome: session ? 'granted' : 'refused' });
  if (!session) throw invalidCredentials();
  return answerLogin(customers, session);

  async function open(
    hasher: Hasher,
    { pair, ofPhone, fromAddress }: ReturnType<typeof wrongPasswords>,
    begunAt: Date,
  ): Promise<OpenSession | undefined> {
    const found = await findLogin(db, phone);
    const hash = found?.password_hash ?? null;
    const { right, renewed } = await hasher.check(password, hash ?? NOBODYS_HASH);
    if (!right || !found || hash === null) return undefined;
    return customerTransaction(db, found.id, async (tx) => {
      const customer = await lockLogin(tx, phone);
      // The customer was locked, or the password changed, during the hashing.
      if (!customer || customer.locked_at || customer.password_hash !== hash) return undefined;
      // A success clears the failures of this phone from this address; elsewhere it only undoes this attempt.
      await purgeAttempts(tx, pair);
      await releaseAttempts(tx, [ofPhone, fromAddress], begunAt);
      if (renewed) await markPassword(tx, customer.id, renewed);
      return openSession(tx, customers, { holderId: customer.id, partnerId, address });
    });
  }

  function countLocked(error: unknown): never {
    if (error instanceof Problem && error.kind.status === 429)
      metrics.logins.inc({ method: 'password', outcome: 'locked' });
    throw error;
  }
}

const isFailed = (session: OpenSession | undefined) => session === undefined;
