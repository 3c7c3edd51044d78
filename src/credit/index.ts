import type { Events } from '#events';
import type { Command } from '#platform/command.ts';
import type { Endpoint } from '#platform/http/endpoint.ts';
import { checkoutCreate } from './commands/checkout-create.ts';
import type { CreditDeps } from './deps.ts';
import { getAdminCheckoutsHash } from './http/get-admin-checkouts-hash.ts';
import { getWalletCheckouts } from './http/get-wallet-checkouts.ts';
import { getWalletCheckoutsHash } from './http/get-wallet-checkouts-hash.ts';
import { postAdminCheckouts } from './http/post-admin-checkouts.ts';

export { applyReceipt } from './apply-receipt.ts';
export { applyRefunds, type HeardRefunds, holdStranded } from './apply-refunds.ts';
export { approvePurchase, LATE_ENTRY_MS } from './approve-purchase.ts';
export { creditAuditor } from './audit.ts';
export { listReceived, listSettled, type Settled } from './audit-store.ts';
export { findDebt } from './find-debt.ts';
export { openCheckout } from './open-checkout.ts';
export { creditProblems } from './problems.ts';
export type { InstallmentPaid, InstallmentReopened, Reallocated } from './reallocate.ts';
export { findFirstSettled, lockCustomerById } from './store.ts';

/** At the front door. */
export function creditEndpoints(deps: CreditDeps): Endpoint[] {
  return [getWalletCheckouts(deps), getWalletCheckoutsHash(deps)];
}

/** At the staff door. */
export function creditStaffEndpoints(deps: CreditDeps): Endpoint[] {
  return [postAdminCheckouts(deps), getAdminCheckoutsHash(deps)];
}

export const creditCommands = (events: Events): Command[] => [checkoutCreate(events)];
