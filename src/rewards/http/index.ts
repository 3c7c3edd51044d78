export { getAdminCashback, getAdminCashbackId, postAdminCashbackIdAdjust } from './admin-cashback.ts';
export { getAdminReferrals, getAdminReferralsId, postAdminReferrals } from './admin-referrals.ts';
export { getWalletCashbackBalance, getWalletCashbackLedger } from './wallet-cashback.ts';
export { postWalletInstallmentsIdCashback } from './wallet-installments-cashback.ts';
export { getWalletReferral } from './wallet-referral.ts';
