export { getAdminAutopay, getAdminAutopayDebits } from './admin-autopay.ts';
export { getAdminPixCharges, getAdminPixChargesId } from './admin-pix-charges.ts';
export { getAdminPixDiscrepancies } from './admin-pix-discrepancies.ts';
export {
  getAdminPixOrphans,
  getAdminPixOrphansId,
  postAdminPixOrphansIdAssign,
  postAdminPixOrphansIdRefund,
} from './admin-pix-orphans.ts';
export {
  getAdminPixPayments,
  getAdminPixPaymentsId,
  postAdminPixPaymentsIdMove,
} from './admin-pix-payments.ts';
export { getAdminPixRefunds, getAdminPixRefundsId, postAdminPixRefundsIdRetry } from './admin-pix-refunds.ts';
export {
  deleteWalletCheckoutsHashAutopay,
  getWalletCheckoutsHashAutopay,
  postWalletCheckoutsHashAutopay,
} from './wallet-checkouts-autopay.ts';
export { getWalletInstallmentsIdPix, postWalletInstallmentsIdPix } from './wallet-installments-pix.ts';
export { getWalletPixId, getWalletPixIdReceipt } from './wallet-pix.ts';
