export { cashbackOwed, sumMovements } from './reading-store.ts';
export { normalizeReferralCode } from './record-invitation.ts';
export { countInvitedInNetwork } from './store/invitations.ts';
export { listExpiringCashback } from './store/lots.ts';
