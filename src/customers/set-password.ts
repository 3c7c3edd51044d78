import type { Static } from 'typebox';
import { tellCustomer } from '#messages';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import { checkCode } from './codes/check-code.ts';
import { markUsed } from './codes/store.ts';
import type { Customers } from './customers.ts';
import { openIdentity } from './people.ts';
import { invalidCredentials, notRegistered } from './problems.ts';
import type { NewPassword } from './schemas.ts';
import { markAllEnded } from './sessions/store.ts';
import { findLogin, lockLogin, markPassword } from './store.ts';

/** Somebody who knew the old password may be logged in with it: every session ends. */
export async function setPassword(customers: Customers, given: Static<typeof NewPassword>, caller: Caller) {
  const { db, clock, hashers, ended } = customers;
  const { phone, password } = given;
  const endedSessions = await hashers.inTurn(caller, async (hasher) => {
    const right = await checkCode(customers, given, caller.address);
    if (!right) throw invalidCredentials();
    const found = await findLogin(db, phone);
    if (!found) throw notRegistered();
    // Hashed before the transaction, so that hashing holds no lock. The code is used up only in the transaction, once; a password
    // that is too easy to guess uses up nothing.
    const hash = await hasher.hash(password, openIdentity(customers.vault, found));
    return customerTransaction(db, found.id, async (tx) => {
      const now = clock.now();
      // The customer is locked before the code, as in a change of the phone and in an erasure, which prevents deadlocks.
      const customer = await lockLogin(tx, phone);
      if (!(await markUsed(tx, right, now)) || !customer || customer.locked_at) throw invalidCredentials();
      await markPassword(tx, customer.id, hash);
      tellCustomer(tx, customer.id, {
        template: 'password_changed',
        parts: {},
        about: now.toISOString(),
        now,
      });
      return markAllEnded(tx, customer.id, 'password_set', now);
    });
  });
  for (const id of endedSessions) ended.note(id);
}
