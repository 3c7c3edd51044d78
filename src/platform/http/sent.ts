declare const SENT: unique symbol;
/** What a handler returns when it has sent the answer itself. */
export type Sent = { readonly [SENT]: true };
