export { applyReceipt } from './apply-receipt.ts';
export { applyRefunds, type HeardRefunds, holdStranded } from './apply-refunds.ts';
export { approvePurchase } from './approve-purchase.ts';
export { listReceived, listSettled, type ReceivedMoney, type Settled } from './audit-store.ts';
export {
  AGES,
  findCreditFigures,
  mondayOf,
  recomputeFigures,
  weeksAround,
} from './figures.ts';
export { sumReceived } from './figures-store.ts';
export { findDebt } from './find-debt.ts';
export { payoutTerms, usualTerms } from './merchant-plan.ts';
export { SEND_OFFER, writeOffer } from './offers/make-offer.ts';
export { openCheckout } from './open-checkout.ts';
export { installmentPaid, paymentProblems, valueOutOfRange } from './problems.ts';
export { findInstallmentPlace } from './reading-store.ts';
export { type LockedInstallment, type Reallocated, readInstallment } from './reallocate.ts';
export { type RequestRefunds, refunds, returnPurchase } from './return-purchase.ts';
export { findSale, listSales, listUnknownHashes, type Sale } from './sales.ts';
export { Installment } from './schemas.ts';
export { showInstallment } from './show-installment.ts';
export {
  countCheckouts,
  creditUsed,
  findFirstSettled,
  hasPurchases,
  listFirstSettled,
  pendingCashback,
} from './store.ts';
export { tellOverdue } from './tell-overdue.ts';
