export { markPayoutPaid } from './close-payout.ts';
export { createPayouts } from './create-payouts.ts';
export { listOwedToMerchants } from './store.ts';
