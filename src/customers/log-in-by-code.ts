import type { Static } from 'typebox';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import { checkCode, type RightCode } from './codes/check-code.ts';
import { markUsed } from './codes/store.ts';
import type { Customers } from './customers.ts';
import { invalidCredentials, notRegistered } from './problems.ts';
import type { CodeLogin, Login } from './schemas.ts';
import { answerLogin, type OpenSession, openSession } from './sessions/open-session.ts';
import { findLogin, lockLogin } from './store.ts';

export async function logInByCode(
  customers: Customers,
  given: Static<typeof CodeLogin>,
  { partnerId, address }: Caller,
): Promise<Static<typeof Login>> {
  const { db, clock, metrics } = customers;
  const right = await checkCode(customers, given, address);
  const session = right && (await open(right));
  metrics.logins.inc({ method: 'code', outcome: session ? 'granted' : 'refused' });
  if (!session) throw invalidCredentials();
  return answerLogin(customers, session);

  async function open(code: RightCode): Promise<OpenSession | undefined> {
    const found = await findLogin(db, given.phone);
    // A caller with the right code owns the phone, and may be told. The code stays valid for a sign-up.
    if (!found) throw notRegistered();
    return customerTransaction(db, found.id, async (tx) => {
      // The customer is locked before the code, as in a change of the phone and in an erasure, which prevents deadlocks.
      const customer = await lockLogin(tx, given.phone);
      if (!(await markUsed(tx, code, clock.now())) || !customer || customer.locked_at) return undefined;
      return openSession(tx, customers, { holderId: customer.id, partnerId, address });
    });
  }
}
