export { getAdminKeys } from './get-admin-keys.ts';
export { getAdminPartners } from './get-admin-partners.ts';
export { patchAdminKeysId } from './patch-admin-keys-id.ts';
export { postAdminKeys } from './post-admin-keys.ts';
export { postAdminKeysIdRevoke } from './post-admin-keys-id-revoke.ts';
export { postAdminKeysIdRotate } from './post-admin-keys-id-rotate.ts';
export { postAdminPartners } from './post-admin-partners.ts';
