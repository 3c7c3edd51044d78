import type { Static } from 'typebox';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { countAttempts, giveBackAttempts, purgeAttempts } from '#platform/http/attempt-limits.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import { Problem } from '#platform/problem.ts';
import type { Customers } from './customers.ts';
import { failuresFromAddress, wrongPasswords } from './limits.ts';
import { NOBODYS_HASH } from './passwords/argon2.ts';
import { invalidCredentials } from './problems.ts';
import type { Login, PasswordLogin } from './schemas.ts';
import { answerLogin, type OpenSession, openSession } from './sessions/open-session.ts';
import { findLogin, lockLogin, markPassword } from './store.ts';

/**
 * A login counts as failed from its start, and the count is undone when it succeeds: of a hundred concurrent guesses only five
 * are checked. A login without a password, of a locked or of an unknown customer takes the same time as one with a wrong
 * password.
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

  const session = await hashers.inTurn(caller, async (hasher): Promise<OpenSession | undefined> => {
    const now = clock.now();
    await countAttempts(db, [pair, ofPhone, fromAddress], now).catch(countLocked);
    const found = await findLogin(db, phone);
    const hash = found?.password_hash ?? null;
    const { right, renewed } = await hasher.check(password, hash ?? NOBODYS_HASH);
    if (!right || !found || hash === null) return undefined;
    return customerTransaction(db, found.id, async (tx) => {
      const customer = await lockLogin(tx, phone);
      // Locked, or changed the password, while we were hashing.
      if (!customer || customer.locked_at || customer.password_hash !== hash) return undefined;
      // A success clears the failures of this phone from this address; elsewhere it only undoes this attempt.
      await purgeAttempts(tx, pair);
      await giveBackAttempts(tx, [ofPhone, fromAddress], now);
      if (renewed) await markPassword(tx, customer.id, renewed);
      return openSession(tx, customers, { customerId: customer.id, partnerId });
    });
  });

  metrics.logins.inc({ method: 'password', outcome: session ? 'granted' : 'refused' });
  if (!session) throw invalidCredentials();
  return answerLogin(customers, session);

  function countLocked(error: unknown): never {
    if (error instanceof Problem) metrics.logins.inc({ method: 'password', outcome: 'locked' });
    throw error;
  }
}
