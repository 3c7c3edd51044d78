import type { Static } from 'typebox';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import { checkCode, type VerifiedCode } from './codes/check-code.ts';
import { consumeCode } from './codes/store.ts';
import { decideAwaitedLimit } from './decide-first-limit.ts';
import { invalidCredentials, notRegistered } from './problems.ts';
import type { RegistrationDeps } from './register-customer.ts';
import type { CodeLogin, Login } from './schemas.ts';
import { buildLoginResponse, type IssuedSession, openSession } from './sessions/open-session.ts';
import { findLoginByPhone, lockLoginByPhone } from './store.ts';

export async function logInByCode(
  deps: RegistrationDeps,
  form: Static<typeof CodeLogin>,
  { partnerId, ipAddress, deviceId }: Caller,
): Promise<Static<typeof Login>> {
  const { db, clock, metrics } = deps;
  const verifiedCode = await checkCode(deps, form, ipAddress);
  const session = verifiedCode && (await open(verifiedCode));
  metrics.logins.inc({ method: 'code', outcome: session ? 'granted' : 'refused' });
  if (!session) throw invalidCredentials();
  return buildLoginResponse(deps, session);

  async function open(code: VerifiedCode): Promise<IssuedSession | undefined> {
    const login = await findLoginByPhone(db, form.phone);
    // A caller with the correct code owns the phone, so this reveals nothing. The code stays valid for a sign-up.
    if (!login) throw notRegistered();
    return customerTransaction(db, login.id, async (tx) => {
      // Lock order: customer before code, as in phone changes and erasures, to prevent deadlocks.
      const customer = await lockLoginByPhone(tx, form.phone);
      if (!(await consumeCode(tx, code, clock.now())) || !customer || customer.locked_at) return undefined;
      await decideAwaitedLimit(tx, deps, customer, { ipAddress, deviceId });
      return openSession(tx, deps, { principalId: customer.id, partnerId, ipAddress, deviceId });
    });
  }
}
