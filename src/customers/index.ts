import type { Events } from '#events';
import type { Command } from '#platform/command.ts';
import type { Queryable } from '#platform/db.ts';
import type { Endpoint } from '#platform/http/endpoint.ts';
import type { Task } from '#platform/jobs.ts';
import { SEND_CODE } from './codes/request-code.ts';
import { sendCode } from './codes/send-code.ts';
import { purgeOldCodes, purgeOldMessages } from './codes/store.ts';
import { customerCreate } from './commands/customer-create.ts';
import { customerList } from './commands/customer-list.ts';
import { customerLock, customerUnlock } from './commands/customer-lock.ts';
import { customerReencrypt } from './commands/customer-reencrypt.ts';
import { messageFailures } from './commands/message-failures.ts';
import { tokenKeyList, tokenKeyRotate } from './commands/token-key.ts';
import type { Customers } from './customers.ts';
import { getWellKnownJwksJson } from './http/get-.well-known-jwks.json.ts';
import { getAdminCustomersId } from './http/get-admin-customers-id.ts';
import { getWalletMe } from './http/get-wallet-me.ts';
import { postAdminCustomers } from './http/post-admin-customers.ts';
import { postWalletAuthLogin } from './http/post-wallet-auth-login.ts';
import { postWalletAuthLogout } from './http/post-wallet-auth-logout.ts';
import { postWalletAuthOtp } from './http/post-wallet-auth-otp.ts';
import { postWalletAuthOtpLogin } from './http/post-wallet-auth-otp-login.ts';
import { postWalletAuthPassword } from './http/post-wallet-auth-password.ts';
import { postWalletAuthPhoneCheck } from './http/post-wallet-auth-phone-check.ts';
import { postWalletAuthRefresh } from './http/post-wallet-auth-refresh.ts';
import { purgeOldAttempts } from './limits.ts';
import type { RegistrationDeps } from './register-customer.ts';
import { purgeSessions } from './sessions/store.ts';
import type { CreditUsed } from './store.ts';
import { purgeSigningKeys } from './tokens/store.ts';

export { type CustomerRegistered, restoreCustomer } from './create-customer.ts';
export { openCustomers } from './customers.ts';
export { customerProblems, tokenProblems } from './problems.ts';
export { notifyAllEnded } from './sessions/store.ts';
export {
  countCustomers,
  findCodeOwner,
  findCustomerId,
  findCustomerRange,
  findName,
  type LockedCustomer,
  lockCustomerById,
  referralCodeOf,
} from './store.ts';
export { ensureSigningKey } from './tokens/rotate-keys.ts';

export function customerEndpoints(customers: Customers): Endpoint[] {
  return [
    postWalletAuthPhoneCheck(customers),
    postWalletAuthLogin(customers),
    postWalletAuthOtp(customers),
    postWalletAuthOtpLogin(customers),
    postWalletAuthPassword(customers),
    postWalletAuthRefresh(customers),
    postWalletAuthLogout(customers),
    getWalletMe(customers),
    getWellKnownJwksJson(customers),
  ];
}

/** At the staff door. */
export function customerStaffEndpoints(deps: RegistrationDeps): Endpoint[] {
  return [postAdminCustomers(deps), getAdminCustomersId(deps)];
}

export { SEND_CODE };

export const customerTasks = (customers: Customers): Record<string, Task> => ({
  [SEND_CODE]: sendCode(customers),
});

export const customerCommands = (events: Events, creditUsed: CreditUsed): Command[] => [
  customerCreate(events),
  customerList(creditUsed),
  customerLock,
  customerUnlock,
  customerReencrypt,
  tokenKeyRotate,
  tokenKeyList,
  messageFailures,
];

const DAY_MS = 24 * 3_600_000;

export async function customersHousekeeping(db: Queryable, now: Date): Promise<void> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
  await purgeOldAttempts(db, now);
  await purgeOldCodes(db, daysAgo(1));
  await purgeSessions(db, daysAgo(30));
  await purgeSigningKeys(db, daysAgo(30));
  await purgeOldMessages(db, daysAgo(90));
}
