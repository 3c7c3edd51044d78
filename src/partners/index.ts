export { clientIpHeader, deviceHeader, readConnectionAddress } from './client-address.ts';
export { requireFieldRoles, requireRole } from './guard.ts';
export { ensureKey, issueKey, type NewKeyInput, replaceReturnOrigins } from './issue-key.ts';
export { keyValidator } from './keyring.ts';
export { createPartner } from './manage-keys.ts';
export { merchantLookup, merchantSlugLookup } from './merchant-lookup.ts';
export { rateLimited, roleMissing } from './problems.ts';
export { isAllowedReturnUrl } from './return-origins.ts';
export { type StaffPrincipal, staffSessionFinder } from './staff-sessions.ts';
export {
  findPartner,
  type KeyGrant,
  listKeyGrants,
  listKeysOfStaffUser,
  listPartnerNames,
  revokeKeyOfStaffUser,
  revokeKeysOfStaffUser,
  updateKeyRoles,
} from './store.ts';
