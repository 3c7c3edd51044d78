import type { Static } from 'typebox';
import { queueCustomerMessage } from '#messages';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import { checkCode } from './codes/check-code.ts';
import { consumeCode } from './codes/store.ts';
import { decideAwaitedLimit } from './decide-first-limit.ts';
import { decryptIdentity } from './identity.ts';
import { invalidCredentials, notRegistered } from './problems.ts';
import type { RegistrationDeps } from './register-customer.ts';
import type { NewPassword } from './schemas.ts';
import { endAllSessions } from './sessions/store.ts';
import { findLoginByPhone, lockLoginByPhone, updatePassword } from './store.ts';

/** Ends all sessions, because a person who knew the old password may have opened one. */
export async function setPassword(deps: RegistrationDeps, form: Static<typeof NewPassword>, caller: Caller) {
  const { db, clock, hashers, endedSessions } = deps;
  const { phone, password } = form;
  const endedSessionIds = await hashers.withHasher(caller, async (hasher) => {
    const verifiedCode = await checkCode(deps, form, caller.ipAddress);
    if (!verifiedCode) throw invalidCredentials();
    const login = await findLoginByPhone(db, phone);
    if (!login) throw notRegistered();
    // Hashed before the transaction, so that no lock is held while hashing. A weak password is refused here, before the code is used.
    const hash = await hasher.hash(password, decryptIdentity(deps.vault, login));
    return customerTransaction(db, login.id, async (tx) => {
      const now = clock.now();
      // Lock order: customer before code, as in phone changes and erasures, to prevent deadlocks.
      const customer = await lockLoginByPhone(tx, phone);
      if (!(await consumeCode(tx, verifiedCode, now)) || !customer || customer.locked_at)
        throw invalidCredentials();
      await updatePassword(tx, customer.id, hash);
      await decideAwaitedLimit(tx, deps, customer, caller);
      queueCustomerMessage(tx, customer.id, {
        template: 'password_changed',
        data: {},
        subject: now.toISOString(),
        now,
      });
      return endAllSessions(tx, customer.id, 'password_set', now);
    });
  });
  for (const id of endedSessionIds) endedSessions.add(id);
}
