export {
  getAdminCheckouts,
  getAdminCheckoutsHash,
  getAdminCheckoutsHashContract,
  postAdminCheckouts,
  postAdminCheckoutsHashReinstate,
  postAdminCheckoutsHashWriteOff,
} from './admin-checkouts.ts';
export { getAdminCustomersIdOwed } from './admin-checkouts-owed.ts';
export {
  getAdminOffers,
  getAdminOffersId,
  postAdminOffers,
  postAdminOffersIdCancel,
} from './admin-offers.ts';
export {
  getAdminReturns,
  postAdminCheckoutsHashReturns,
  postAdminReturnsIdApprove,
  postAdminReturnsIdRefuse,
} from './admin-returns.ts';
export {
  getMerchantCheckouts,
  getMerchantCheckoutsHash,
  postMerchantCheckoutsHashReturns,
} from './merchant-checkouts.ts';
export {
  getMerchantOffers,
  getMerchantOffersId,
  postMerchantOffers,
  postMerchantOffersIdCancel,
  postMerchantQuotes,
} from './merchant-offers.ts';
export { getMerchantReturns } from './merchant-returns.ts';
export { getPublicCreditor, getPublicMerchantsSlugQuote, getPublicOffersToken } from './public-credit.ts';
export {
  getWalletCheckouts,
  getWalletCheckoutsHash,
  getWalletCheckoutsHashContract,
} from './wallet-checkouts.ts';
export {
  getWalletOffers,
  getWalletOffersId,
  postWalletOffersClaim,
  postWalletOffersIdAccept,
  postWalletOffersIdDecline,
} from './wallet-offers.ts';
export { getWalletStatementsYear } from './wallet-statements.ts';
