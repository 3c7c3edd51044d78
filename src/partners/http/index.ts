export {
  getAdminKeys,
  patchAdminKeysId,
  postAdminKeys,
  postAdminKeysIdRevoke,
  postAdminKeysIdRotate,
} from './admin-keys.ts';
export { getAdminPartners, postAdminPartners } from './admin-partners.ts';
