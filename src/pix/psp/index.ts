export type { PutCharge } from './charges.ts';
export { openPspClient, type PspClient } from './client.ts';
export { PspRefused, PspUnavailable, readable } from './failures.ts';
export type { PixPage } from './received.ts';
export type { Charge, ChargeTerms, ReceivedPix, Refund } from './translate.ts';
export { instant } from './wire-values.ts';
