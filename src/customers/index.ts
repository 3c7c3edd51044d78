export { checkCode } from './codes/check-code.ts';
export { requestCode } from './codes/request-code.ts';
export { markUsed } from './codes/store.ts';
export { CUSTOMER, ofCustomer } from './commands/customer-option.ts';
export { restoreCustomer } from './create-customer.ts';
export { creditUsage, overdueCustomers } from './customers.ts';
export { type FirstLimit, firstLimit } from './first-limit.ts';
export { messageCounter } from './message-caps.ts';
export { canReach, type Messenger, messenger } from './messenger.ts';
export { hashPhone, NO_HASH } from './people.ts';
export {
  codeWrong,
  customerErased,
  invalidCredentials,
  NO_CUSTOMER,
  otpTooSoon,
  phoneNotSupported,
  referralCodeUnknown,
  tokenExpired,
  tokenInvalid,
  tokenPartnerMismatch,
} from './problems.ts';
export { ChallengeId, Code, CodeLogin, CodeOnItsWay, Phone, PhoneForm, RefreshForm } from './schemas.ts';
export { logOut } from './sessions/log-out.ts';
export { type OpenSession, openSession, renderSession, renderTokens } from './sessions/open-session.ts';
export { refreshSession } from './sessions/refresh-session.ts';
export {
  announceEnded,
  type CustomerPartner,
  listCustomerPartners,
  notifyAllEnded,
} from './sessions/store.ts';
export { type Holders, type SignIn, signInService } from './sign-in.ts';
export {
  countCustomers,
  findCodeOwner,
  findCustomerId,
  findCustomerRange,
  findIdentity,
  findName,
  findOwnCredit,
  findPayer,
  findPersonFacts,
  findPhoneHash,
  type LockedCustomer,
  listNames,
  listPhoneOwners,
  lockCustomerById,
  markLimit,
  nameCustomers,
  type Overdue,
  type OverdueCustomers,
  referralCodeOf,
} from './store.ts';
export { ensureSigningKey } from './tokens/rotate-keys.ts';
