export { acceptance, type DecideAcceptance, OFFER_LIFE_MS } from './acceptance.ts';
export { HASH_PATTERN } from './hash.ts';
export { isClerk, ownersOnly } from './offers/made-by.ts';
export { writeOffer } from './offers/make-offer.ts';
export { countWaitingOffers, findOfferedTo } from './offers/store.ts';
export { footerOf, type Lender, lenderFacts, lenderService, personFacts } from './papers/contract.ts';
export { installmentPaid, NO_INSTALLMENT, paymentProblems, valueOutOfRange } from './problems.ts';
export { applyReceipt } from './purchases/apply-receipt.ts';
export { approvePurchase } from './purchases/approve-purchase.ts';
export { type AutopayView, autopay, type FindAutopay } from './purchases/autopay-view.ts';
export { findCreditFacts, sumLosses, sumOutcomes } from './purchases/credit-facts.ts';
export {
  type DueInstallment,
  findSummary,
  isPaidBetween,
  listDue,
  listDueCustomers,
  listOwing,
} from './purchases/due-store.ts';
export { findDebt, findPurchaseDebts, type PurchaseDebts, showInstallment } from './purchases/find-debt.ts';
export { payoutTerms, usualTerms } from './purchases/merchant-plan.ts';
export { openCheckout } from './purchases/open-checkout.ts';
export { findCustomerOf, findInstallmentPlace } from './purchases/reading-store.ts';
export { type LockedInstallment, type Reallocated, readInstallment } from './purchases/reallocate.ts';
export {
  findSale,
  listSales,
  listUnknownHashes,
  type Period,
  type Sale,
  sumSalesByDay,
} from './purchases/sales.ts';
export {
  type CashbackDebt,
  cashbackDebt,
  countCheckouts,
  creditUsed,
  findNextPart,
  findPaidOff,
  hasPurchases,
  listPaidOff,
  pendingCashback,
} from './purchases/store.ts';
export { tellOverdue } from './purchases/tell-overdue.ts';
export { listReceived, listSettled, type ReceivedMoney, type Settled } from './reports/audit-store.ts';
export { findCreditFigures, mondayOf, NO_COHORT, recomputeFigures, weeksAround } from './reports/figures.ts';
export { AGES, sumReceived } from './reports/figures-store.ts';
export {
  applyRefunds,
  creditStranded,
  type HeardRefunds,
  holdStranded,
  takeReceipt,
} from './returns/apply-refunds.ts';
export { merchantBalances } from './returns/merchant-floor.ts';
export { type RequestRefunds, refunds, returnPurchase } from './returns/return-purchase.ts';
export { Installment } from './schemas.ts';
