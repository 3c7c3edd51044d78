export { getAdminAuditTrail } from './admin-audit-trail.ts';
export { deleteAdminMeKeysId, getAdminMe, getAdminMeKeys, postAdminMeKeys } from './admin-me.ts';
export {
  deleteAdminStaffId,
  getAdminStaff,
  getAdminStaffId,
  patchAdminStaffId,
  postAdminStaff,
  postAdminStaffIdInvite,
} from './admin-staff.ts';
export {
  postAuthAccept,
  postAuthInvitation,
  postAuthLogin,
  postAuthLogout,
  postAuthSecondFactor,
} from './auth.ts';
export {
  deleteAuthFactorsId,
  getAuthFactors,
  postAuthPasskeyOptions,
  postAuthPasskeys,
  postAuthTotp,
  postAuthTotpConfirm,
} from './auth-factors.ts';
export { getAuthSessions, postAuthSessionsEnd, postAuthSessionsIdEnd } from './auth-sessions.ts';
