export { cashbackOwed, sumMovements } from './reading-store.ts';
export { readCode } from './record-invitation.ts';
export { countInvitedAround } from './store/invitations.ts';
export { listExpiring } from './store/lots.ts';
