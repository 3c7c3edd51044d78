export { clientIpHeader } from './client-address.ts';
export { requirePartner } from './commands/partner.ts';
export { createPartner } from './create-partner.ts';
export { hasRole, requireFieldRoles, requireRole } from './guard.ts';
export { ensureKey, issueKey, type KeyWishes } from './issue-key.ts';
export { knownKeys } from './keyring.ts';
export { merchantDirectory, merchantSlugs } from './merchant-directory.ts';
export { rateLimited, roleMissing } from './problems.ts';
export { mayLeadBack } from './return-origins.ts';
export { type SessionKey, staffSessions } from './staff-sessions.ts';
export {
  findPartner,
  type KeyHolder,
  listKeyHolders,
  listPartnerNames,
  markRevokedOfPerson,
  markRole,
} from './store.ts';
