import type { Static } from 'typebox';
import { countAttempts } from '#platform/http/attempt-limits.ts';
import { canReceiveCodes } from './codes/request-code.ts';
import type { Customers } from './customers.ts';
import { phoneChecks } from './limits.ts';
import type { PhoneCheck } from './schemas.ts';
import { findLogin } from './store.ts';

/** Whether somebody can log in with the phone. Rate-limited, so that it cannot be used to test lists of phones. */
export async function checkPhone(
  customers: Customers,
  phone: string,
  address: string,
): Promise<Static<typeof PhoneCheck>> {
  const { db, clock, otpCountries } = customers;
  await countAttempts(db, phoneChecks(customers, phone, address), clock.now());
  const found = await findLogin(db, phone);
  const methods: Static<typeof PhoneCheck>['login_methods'] = [];
  if (found?.password_hash) methods.push('password');
  if (found && canReceiveCodes(phone, otpCountries)) methods.push('otp');
  return { phone, registered: found !== undefined, login_methods: methods };
}
