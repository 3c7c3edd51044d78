import type { Events } from '#events';
import type { Command } from '#platform/command.ts';
import type { Endpoint } from '#platform/http/endpoint.ts';
import { checkoutCreate } from './commands/checkout-create.ts';
import type { Desk } from './desk.ts';
import { getAdminCheckoutsHash } from './http/get-admin-checkouts-hash.ts';
import { getWalletCheckouts } from './http/get-wallet-checkouts.ts';
import { getWalletCheckoutsHash } from './http/get-wallet-checkouts-hash.ts';
import { postAdminCheckouts } from './http/post-admin-checkouts.ts';

export { applyReceipt } from './apply-receipt.ts';
export { creditAuditor } from './audit.ts';
export { listSettled, type Settled } from './audit-store.ts';
export { considerPurchase, LATE_ENTRY_MS } from './consider-purchase.ts';
export { holdRefund, releaseRefund } from './hold-refund.ts';
export { openCheckout } from './open-checkout.ts';
export { owedOn } from './owed-on.ts';
export { creditProblems } from './problems.ts';
export type { InstallmentPaid, InstallmentReopened, ToRefund } from './restate.ts';
export { reverseReceipt } from './reverse-receipt.ts';
export { findFirstSettled, lockBuyer } from './store.ts';

/** At the front door. */
export function creditEndpoints(desk: Desk): Endpoint[] {
  return [getWalletCheckouts(desk), getWalletCheckoutsHash(desk)];
}

/** At the staff door. */
export function creditStaffEndpoints(desk: Desk): Endpoint[] {
  return [postAdminCheckouts(desk), getAdminCheckoutsHash(desk)];
}

export const creditCommands = (events: Events): Command[] => [checkoutCreate(events)];
