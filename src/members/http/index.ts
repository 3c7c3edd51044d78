export { postAdminLeadsIdMerchant } from './admin-leads-merchant.ts';
export {
  deleteAdminMerchantsSlugMembersId,
  getAdminMerchantsSlugMembers,
  postAdminMerchantsSlugMembers,
} from './admin-merchants-members.ts';
export {
  postMerchantAuthLogout,
  postMerchantAuthOtp,
  postMerchantAuthOtpLogin,
  postMerchantAuthRefresh,
  postMerchantAuthSwitch,
} from './merchant-auth.ts';
export {
  deleteMerchantMembersId,
  deleteMerchantMembersIdSessionsSession,
  getMerchantMe,
  getMerchantMembers,
  getMerchantMembersIdSessions,
  patchMerchantMembersId,
  postMerchantMembers,
} from './merchant-members.ts';
