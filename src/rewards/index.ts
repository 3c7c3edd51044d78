export { normalizeReferralCode } from './invitations.ts';
export { selectCashbackDebt, sumMovements } from './reading-store.ts';
export { listExpiringCashback } from './store/cashback.ts';
export { countInvitedInNetwork } from './store/invitations.ts';
