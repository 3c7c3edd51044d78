declare const SENT: unique symbol;
/** Returned by a handler that has sent the response itself. */
export type Sent = { readonly [SENT]: true };
