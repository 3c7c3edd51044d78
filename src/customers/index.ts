export {
  ChallengeId,
  Code,
  CodeChallenge,
  CodeLogin,
  ownSessionFields,
  PhoneForm,
  RefreshForm,
  tokenFields,
} from './auth-schemas.ts';
export { checkCode, filterRequestedCodes, requestCode, type VerifiedCode } from './codes/codes.ts';
export { consumeCode } from './codes/store.ts';
export { type MessageLimits, messageLimits } from './contacts.ts';
export { upsertDemoCustomer } from './create-customer.ts';
export { creditUsageService, overdueService, purchaseBlockService } from './customers.ts';
export { type FirstLimitDecider, firstLimitService } from './first-limit.ts';
export { ERASED_PHONE_HASH, hashPhone, type Identity } from './identity.ts';
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
export { renderOwnCredit } from './render-customer.ts';
export { BlockedBy, Customer, Phone } from './schemas.ts';
export {
  endAllSessions,
  endSession,
  type IssuedSession,
  logOut,
  openSession,
  refreshSession,
  renderSessions,
  renderTokens,
} from './sessions/sessions.ts';
export { type CustomerPartner, createSessionStore, listCustomerPartners } from './sessions/store.ts';
export { type PrincipalKind, type SignInDeps, signInService } from './sign-in.ts';
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
  type OverdueAmount,
  type OverdueLookup,
  selectReferralCode,
  updateCreditLimit,
} from './store.ts';
export type { TokenGuard } from './tokens/access-token.ts';
export { notifyAllSessionsEnded } from './tokens/ended-sessions.ts';
export { ensureSigningKey } from './tokens/signing-keys.ts';
