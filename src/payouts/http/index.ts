export { getAdminPayouts } from './get-admin-payouts.ts';
export { getAdminPayoutsId } from './get-admin-payouts-id.ts';
export { getMerchantPayouts } from './get-merchant-payouts.ts';
export { getMerchantPayoutsId } from './get-merchant-payouts-id.ts';
export { getMerchantStatement } from './get-merchant-statement.ts';
export { postAdminPayouts } from './post-admin-payouts.ts';
export { postAdminPayoutsIdFailed } from './post-admin-payouts-id-failed.ts';
export { postAdminPayoutsIdPaid } from './post-admin-payouts-id-paid.ts';
