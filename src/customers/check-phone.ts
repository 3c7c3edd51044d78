import type { Static } from 'typebox';
import { takeAttempts } from '#platform/http/attempt-limits.ts';
import { canReceiveCodes } from './codes/request-code.ts';
import type { Customers } from './customers.ts';
import { findOrigin, phoneChecks } from './limits.ts';
import type { PhoneCheck } from './schemas.ts';
import { findLogin } from './store.ts';

/** Whether somebody can log in with the phone. Rate-limited, so that it cannot be used to test lists of phones. */
export async function checkPhone(customers: Customers, phone: string, address: string) {
  const { db, clock, otpCountries } = customers;
  const origin = await findOrigin(customers, phone, address);
  // In one transaction: a check that fails is not counted.
  const found = await db.transaction(async (tx) => {
    await takeAttempts(tx, phoneChecks(customers, origin), clock.now());
    return findLogin(tx, phone);
  });
  const methods: Static<typeof PhoneCheck>['login_methods'] = [];
  if (found?.password_hash) methods.push('password');
  if (found && canReceiveCodes(phone, otpCountries)) methods.push('otp');
  return { phone, registered: found !== undefined, login_methods: methods };
}
