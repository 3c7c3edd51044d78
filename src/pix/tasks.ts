/** Brings a charge in line with what the PSP says of it: payments, refunds, expiry, removal. */
export const SYNC_CHARGE = 'pix_sync_charge';
/** Looks at a payment of which we know only the end-to-end id. */
export const SYNC_PAYMENT = 'pix_sync_payment';
/** Sends money back. */
export const REFUND = 'pix_refund';
/** Finds what was left behind. */
export const RECONCILE = 'pix_reconcile';
/** Finds money that nobody told us of. */
export const SWEEP = 'pix_sweep';
/** Finds money that went back without a word. */
export const SWEEP_REFUNDS = 'pix_sweep_refunds';

/** Over about two days, later and later; reconciliation goes on after that. */
export const SYNC_ATTEMPTS = 12;
export const REFUND_ATTEMPTS = 12;

/** However often it is asked for, one waits. */
export const syncKey = (txid: string) => `${SYNC_CHARGE} ${txid}`;
export const refundKey = (id: string) => `${REFUND} ${id}`;
