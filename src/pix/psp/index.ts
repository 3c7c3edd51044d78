export type { PutCharge } from './charges.ts';
export type { PspClient } from './client.ts';
export type { Debit, DebitAttempt, ReceivingAccount } from './debits.ts';
export { PspRefused, PspUnavailable, readable } from './failures.ts';
export type { PixPage } from './received.ts';
export type { Recurrence } from './recurrences.ts';
export type { Charge, ChargeTerms, ReceivedPix, Refund } from './translate.ts';
export type { ClientCertificate } from './transport.ts';
export { instant } from './wire-values.ts';
