/** Brings a charge in line with what the PSP says of it: payments, refunds, expiry, removal. */
export const LOOK = 'pix_look';
/** Looks at a payment of which we know only the end-to-end id. */
export const LOOK_AT_PAYMENT = 'pix_look_at_payment';
/** Sends money back. */
export const REFUND = 'pix_refund';
/** Finds what was left behind. */
export const RECONCILE = 'pix_reconcile';
/** Finds money that nobody told us of. */
export const SWEEP = 'pix_sweep';
/** Finds money that went back without a word. */
export const SWEEP_REFUNDS = 'pix_sweep_refunds';

/** Over about two days, later and later; reconciliation goes on after that. */
export const LOOK_ATTEMPTS = 12;
export const REFUND_ATTEMPTS = 12;

/** However often it is asked for, one waits. */
export const lookKey = (txid: string) => `${LOOK} ${txid}`;
export const refundKey = (id: string) => `${REFUND} ${id}`;
