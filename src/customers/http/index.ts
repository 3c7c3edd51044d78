export {
  getAdminCustomers,
  getAdminCustomersId,
  patchAdminCustomersId,
  postAdminCustomers,
  postAdminCustomersIdLock,
  postAdminCustomersIdUnlock,
} from './admin-customers.ts';
export {
  getAdminCustomersIdExport,
  getAdminCustomersIdStory,
  postAdminCustomersIdErase,
} from './admin-customers-data.ts';
export {
  postAdminCustomersIdPhoneChangeCancel,
  postAdminCustomersIdPhoneChangeCode,
  postAdminCustomersIdPhoneChangeConfirm,
} from './admin-customers-phone-change.ts';
export {
  getAdminCustomersIdSessions,
  postAdminCustomersIdSessionsEnd,
  postAdminCustomersIdSessionsSessionEnd,
} from './admin-customers-sessions.ts';
export { getWellKnownJwksJson } from './jwks.ts';
export {
  getWalletErase,
  getWalletExport,
  getWalletMe,
  getWalletPhoneChange,
  postWalletErase,
  postWalletPhoneChangeCancel,
  putWalletEmail,
  putWalletPhone,
} from './wallet-account.ts';
export {
  postWalletAuthLogin,
  postWalletAuthLogout,
  postWalletAuthOtp,
  postWalletAuthOtpLogin,
  postWalletAuthPassword,
  postWalletAuthPhoneCheck,
  postWalletAuthRefresh,
  postWalletAuthSignup,
} from './wallet-auth.ts';
export { getWalletSessions, postWalletSessionsIdEnd } from './wallet-sessions.ts';
