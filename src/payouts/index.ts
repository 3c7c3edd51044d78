export { createPayouts, markPayoutPaid } from './payouts.ts';
export { listOwedToMerchants } from './store.ts';
