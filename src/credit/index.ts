// The API and the schema call a purchase a checkout.
export { acceptanceDecider, type DecideAcceptance, OFFER_TTL_MS } from './acceptance.ts';
export {
  listReceivedMoney,
  listSettledInstallments,
  type ReceivedMoney,
  type SettledInstallment,
} from './audit/audit-store.ts';
export {
  buildCreditorFacts,
  buildCreditorFooter,
  buildPersonFacts,
  type CreditorSettings,
  creditorSettingsService,
  toCreditor,
} from './documents/parties.ts';
export { CHECKOUT_HASH_PATTERN } from './fields.ts';
export {
  EMPTY_COHORT,
  findCreditFigures,
  listWeeksAround,
  recomputeFigures,
  reportNotReady,
  toMonday,
} from './figures/figures.ts';
export { AGE_BUCKETS, sumReceived } from './figures/figures-store.ts';
export { updateFigureSums } from './figures/sums.ts';
export { recordOffer } from './offers/create-offer.ts';
export { type MerchantBuyer, payeeTaxIdsLister } from './offers/offer.ts';
export { isClerk, ownerRoleRequired } from './offers/offer-authors.ts';
export { countPendingOffers, findOfferRecipients, listOfferMetadata } from './offers/store.ts';
export { INSTALLMENT_NOT_FOUND, installmentPaid, paymentProblems, valueOutOfRange } from './problems.ts';
export {
  applyReceipt,
  applyRefundChanges,
  convertStrandedMoney,
  detachPayment,
  holdStrandedMoney,
  type ReportedRefunds,
} from './purchases/apply-receipt.ts';
export { findCreditFacts, sumLosses, sumPurchaseAmounts } from './purchases/credit-facts.ts';
export {
  type DueInstallment,
  findCheckoutSummary,
  listDueCustomerIds,
  listDueInstallments,
  listInstallmentsByOutstanding,
  selectIsPaidBetween,
} from './purchases/due-store.ts';
export {
  findDebt,
  findInstallmentView,
  findPurchaseDebts,
  type PurchaseDebts,
} from './purchases/find-debt.ts';
export { approvePurchase, openCheckout } from './purchases/open-checkout.ts';
export { publishOverdue } from './purchases/publish-overdue.ts';
export {
  findCustomerByCheckout,
  findInstallmentCheckout,
  findSale,
  listSalesInRange,
  listUnknownHashes,
  type Period,
  type Sale,
  sumSalesByDay,
} from './purchases/reading-store.ts';
export { type LockedInstallment, loadInstallment, type ReallocationResult } from './purchases/reallocate.ts';
export { type AutopayView, autopayFinder, type FindAutopay } from './purchases/render-checkout.ts';
export {
  type CashbackDebt,
  cashbackBalanceService,
  cashbackDebtService,
  countCheckouts,
  findDateMinimumPaid,
  findMostPaidMerchant,
  findNextPaymentPart,
  hasPurchases,
  listDatesMinimumPaid,
  selectCreditUsed,
  selectIsOverdue,
  selectPendingCashback,
} from './purchases/store.ts';
export { toDefaultTerms, toPayoutTerms } from './purchases/terms.ts';
export {
  merchantBalancesService,
  type RequestRefunds,
  refundRequester,
  returnPurchase,
} from './returns/return-purchase.ts';
export { Installment } from './schemas.ts';
