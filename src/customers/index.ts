export { checkCode } from './codes/check-code.ts';
export { requestCode } from './codes/request-code.ts';
export { selectRequestedCodes } from './codes/requested-codes.ts';
export { consumeCode } from './codes/store.ts';
export { upsertDemoCustomer } from './create-customer.ts';
export { creditUsage, overdueCustomers, purchaseBlock } from './customers.ts';
export { type FirstLimit, firstLimit } from './first-limit.ts';
export { EMPTY_HASH, hashPhone, type Identity } from './identity.ts';
export { type Messenger, messenger } from './messenger.ts';
export {
  CUSTOMER_NOT_FOUND,
  codeWrong,
  customerErased,
  invalidCredentials,
  otpTooSoon,
  phoneNotSupported,
  referralCodeUnknown,
  tokenExpired,
  tokenInvalid,
  tokenPartnerMismatch,
} from './problems.ts';
export {
  BlockedBy,
  ChallengeId,
  Code,
  CodeChallenge,
  CodeLogin,
  ExpiresIn,
  Phone,
  PhoneForm,
  RefreshForm,
} from './schemas.ts';
export { logOut } from './sessions/log-out.ts';
export { type IssuedSession, openSession, renderSession, renderTokens } from './sessions/open-session.ts';
export { refreshSession } from './sessions/refresh-session.ts';
export {
  announceEndedSessions,
  type CustomerPartner,
  listCustomerPartners,
  notifyAllSessionsEnded,
} from './sessions/store.ts';
export { type PrincipalKind, type SignIn, signInService } from './sign-in.ts';
export type { PurchaseBlock, PurchaseBlockSql } from './store.ts';
export {
  addCustomerNames,
  countCustomers,
  filterByCustomer,
  findCredit,
  findCustomerId,
  findCustomerName,
  findCustomerRange,
  findIdentity,
  findPayer,
  findPersonFacts,
  findPhoneHash,
  findReferralCodeOwner,
  type LockedCustomer,
  listCustomerNames,
  listPhoneOwners,
  lockCustomerById,
  type Overdue,
  type OverdueCustomers,
  referralCodeSql,
  updateCreditLimit,
} from './store.ts';
export { ensureSigningKey } from './tokens/rotate-keys.ts';
