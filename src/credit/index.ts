export { applyReceipt } from './apply-receipt.ts';
export { approvePurchase } from './approve-purchase.ts';
export { listSettled, type Settled } from './audit-store.ts';
export { findDebt } from './find-debt.ts';
export { holdRefund, releaseRefund } from './hold-refund.ts';
export { openCheckout } from './open-checkout.ts';
export type { ToRefund } from './reallocate.ts';
export { reverseReceipt } from './reverse-receipt.ts';
export {
  countCheckouts,
  creditUsed,
  findFirstSettled,
  hasPurchases,
  listFirstSettled,
  pendingCashback,
} from './store.ts';
