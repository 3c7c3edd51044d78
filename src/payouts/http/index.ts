export {
  deleteAdminMerchantsSlugPayoutAccountChange,
  getAdminMerchantsSlugPayoutAccount,
  putAdminMerchantsSlugPayoutAccount,
} from './admin-payout-account.ts';
export {
  getAdminPayouts,
  getAdminPayoutsId,
  postAdminPayouts,
  postAdminPayoutsIdFailed,
  postAdminPayoutsIdPaid,
  postAdminPayoutsReturnFile,
} from './admin-payouts.ts';
export { getMerchantPayoutAccount, putMerchantPayoutAccount } from './merchant-payout-account.ts';
export { getMerchantPayouts, getMerchantPayoutsId } from './merchant-payouts.ts';
export { getMerchantSalesByDay, getMerchantStatement, getMerchantSummary } from './merchant-statement.ts';
