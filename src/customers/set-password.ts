import type { Static } from 'typebox';
import { checkCode } from './codes/check-code.ts';
import { markUsed } from './codes/store.ts';
import type { Customers } from './customers.ts';
import { wrongLogin } from './problems.ts';
import type { NewPassword } from './schemas.ts';
import { markAllEnded } from './sessions/store.ts';
import { lockLogin, markPassword } from './store.ts';

/** Whoever knew the old password may be logged in with it: every session ends with it. */
export async function setPassword(
  customers: Customers,
  { phone, code, password }: Static<typeof NewPassword>,
): Promise<void> {
  const { db, clock, hashers, ended } = customers;
  const endedSessions = await hashers.inTurn(async (hasher) => {
    const right = await checkCode(customers, phone, code);
    if (!right) throw wrongLogin();
    // Hashed before the transaction: nothing is held meanwhile. The code is used up only after it, once.
    const hash = await hasher.hash(password);
    return db.transaction(async (tx) => {
      const now = clock.now();
      const isOurs = await markUsed(tx, right.subject, right.id, now);
      const customer = await lockLogin(tx, phone);
      if (!isOurs || !customer || customer.locked_at) throw wrongLogin();
      await markPassword(tx, customer.id, hash);
      return markAllEnded(tx, customer.id, 'password_set', now);
    });
  });
  for (const id of endedSessions) ended.note(id);
}
