import type { Static } from 'typebox';
import { recordAttempts } from '#platform/http/attempt-limits.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import { canReceiveCodes } from './codes/request-code.ts';
import type { CustomersDeps } from './customers.ts';
import { findOrigin, phoneCheckCounters } from './limits.ts';
import type { PhoneCheck } from './schemas.ts';
import { findLoginByPhone } from './store.ts';

/** Tells whether a customer can log in with the phone. Rate-limited, so that callers cannot test lists of phones. */
export async function checkPhone(deps: CustomersDeps, phone: string, caller: Caller) {
  const { db, clock, otpCountries } = deps;
  const origin = await findOrigin(deps, phone, caller);
  // One transaction: if the lookup fails, the attempt is not counted.
  const login = await db.transaction(async (tx) => {
    await recordAttempts(tx, phoneCheckCounters(deps, origin), clock.now());
    return findLoginByPhone(tx, phone);
  });
  const methods: Static<typeof PhoneCheck>['login_methods'] = [];
  if (login?.password_hash) methods.push('password');
  if (login && canReceiveCodes(phone, otpCountries)) methods.push('otp');
  return { phone, registered: login !== undefined, login_methods: methods };
}
