export {
  getAdminMessages,
  getAdminMessageTemplates,
  postAdminMessagesIdResend,
  postAdminMessagesTest,
} from './admin-messages.ts';
export { getAdminAgreements, getPublicAgreementsKind, postAdminAgreements } from './agreements.ts';
export { getWalletMessages } from './wallet-messages.ts';
export { getWalletPreferences, putWalletPreferences } from './wallet-preferences.ts';
export { deleteWalletPush, getWalletPush, postWalletPush } from './wallet-push.ts';
