import type { Static } from 'typebox';
import { type Customers, phoneSubject } from './customers.ts';
import { purgeAttempts, secondsUntil, takeAttempt, WRONG_PASSWORDS } from './limits.ts';
import { NOBODYS_HASH } from './passwords/argon2.ts';
import { loginLocked, wrongLogin } from './problems.ts';
import type { Login, PasswordLogin } from './schemas.ts';
import { answerLogin, type OpenSession, openSession } from './sessions/open-session.ts';
import { findLogin, lockLogin, markPassword } from './store.ts';

/**
 * A login counts as failed from the moment it begins, and is forgiven when it succeeds: a hundred guesses at once get
 * five looks at the password. Who has no password, is locked or unknown costs as much as who has typed a wrong one.
 */
export async function logInByPassword(
  customers: Customers,
  { phone, password }: Static<typeof PasswordLogin>,
  partnerId: string,
): Promise<Static<typeof Login>> {
  const { db, clock, hashers, metrics } = customers;
  const subject = phoneSubject(customers, phone);

  const session = await hashers.inTurn(async (hasher): Promise<OpenSession | undefined> => {
    await mustNotBeLocked();
    const found = await findLogin(db, phone);
    const hash = found?.password_hash ?? null;
    const { right, renewed } = await hasher.check(password, hash ?? NOBODYS_HASH);
    if (!right || hash === null) return undefined;
    return db.transaction(async (tx) => {
      const customer = await lockLogin(tx, phone);
      // Locked, or given another password, while we were hashing.
      if (!customer || customer.locked_at || customer.password_hash !== hash) return undefined;
      await purgeAttempts(tx, WRONG_PASSWORDS, subject);
      if (renewed) await markPassword(tx, customer.id, renewed);
      return openSession(tx, customers, { customerId: customer.id, partnerId });
    });
  });

  metrics.logins.inc({ method: 'password', outcome: session ? 'granted' : 'refused' });
  if (!session) throw wrongLogin();
  return answerLogin(customers, session);

  async function mustNotBeLocked(): Promise<void> {
    const now = clock.now();
    const { granted, reopensAt } = await takeAttempt(db, WRONG_PASSWORDS, subject, now);
    if (granted) return;
    metrics.logins.inc({ method: 'password', outcome: 'locked' });
    const seconds = secondsUntil(reopensAt, now);
    throw loginLocked(`Too many wrong passwords. Try again in ${seconds} s.`, {
      headers: { 'retry-after': seconds },
    });
  }
}
