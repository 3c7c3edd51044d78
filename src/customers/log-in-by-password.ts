import type { Static } from 'typebox';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { countFailures, purgeAttempts, releaseAttempts } from '#platform/http/attempt-limits.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import { Problem } from '#platform/problem.ts';
import type { Customers } from './customers.ts';
import { failuresFromAddress, wrongPasswords } from './limits.ts';
import { NOBODYS_HASH } from './passwords/argon2.ts';
import type { Hasher } from './passwords/hashers.ts';
import { invalidCredentials } from './problems.ts';
import type { Login, PasswordLogin } from './schemas.ts';
import { answerLogin, type OpenSession, openSession } from './sessions/open-session.ts';
import { findLogin, lockLogin, markPassword } from './store.ts';

/**
 * A login takes room among the failed ones from the moment it begins, so that a hundred guesses at once get five looks at the
 * password. It counts as failed once the password is known to be wrong. Who has no password, is locked or unknown costs as
 * much as who has typed a wrong one.
 */
export async function logInByPassword(
  customers: Customers,
  { phone, password }: Static<typeof PasswordLogin>,
  caller: Caller,
): Promise<Static<typeof Login>> {
  const { db, clock, hashers, metrics } = customers;
  const { partnerId, address } = caller;
  const { pair, ofPhone } = wrongPasswords(customers, phone, address);
  const fromAddress = failuresFromAddress(customers, address);

  const counted = [pair, ofPhone, fromAddress];
  const session = await hashers.inTurn(caller, async (hasher) => {
    const now = clock.now();
    return countFailures(db, { counted, now, isFailed }, () => open(hasher, now)).catch(countLocked);
  });

  metrics.logins.inc({ method: 'password', outcome: session ? 'granted' : 'refused' });
  if (!session) throw invalidCredentials();
  return answerLogin(customers, session);

  async function open(hasher: Hasher, begunAt: Date): Promise<OpenSession | undefined> {
    const found = await findLogin(db, phone);
    const hash = found?.password_hash ?? null;
    const { right, renewed } = await hasher.check(password, hash ?? NOBODYS_HASH);
    if (!right || !found || hash === null) return undefined;
    return customerTransaction(db, found.id, async (tx) => {
      const customer = await lockLogin(tx, phone);
      // Locked, or given another password, while we were hashing.
      if (!customer || customer.locked_at || customer.password_hash !== hash) return undefined;
      // The failures of this phone from here are forgotten; elsewhere only this attempt was none.
      await purgeAttempts(tx, pair);
      await releaseAttempts(tx, [ofPhone, fromAddress], begunAt);
      if (renewed) await markPassword(tx, customer.id, renewed);
      return openSession(tx, customers, { customerId: customer.id, partnerId });
    });
  }

  function countLocked(error: unknown): never {
    if (error instanceof Problem && error.kind.status === 429)
      metrics.logins.inc({ method: 'password', outcome: 'locked' });
    throw error;
  }
}

const isFailed = (session: OpenSession | undefined) => session === undefined;
