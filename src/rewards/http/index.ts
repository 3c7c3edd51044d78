export * from './admin-cashback.ts';
export * from './admin-referrals.ts';
export * from './wallet-cashback.ts';
export * from './wallet-referral.ts';
