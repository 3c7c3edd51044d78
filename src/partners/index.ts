export { clientIpHeader, deviceHeader, readConnectionAddress } from './client-address.ts';
export { requireFieldRoles, requireRole } from './guard.ts';
export { keyValidator } from './keyring.ts';
export {
  createPartner,
  ensureKey,
  isAllowedReturnUrl,
  issueKey,
  type NewKeyInput,
  replaceReturnOrigins,
} from './manage-keys.ts';
export { rateLimited, roleMissing } from './problems.ts';
export { merchantIdLookup, merchantSlugLookup, type StaffPrincipal, staffSessionFinder } from './services.ts';
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
