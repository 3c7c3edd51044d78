export type { PutCharge } from './charges.ts';
export { openPspClient, type PspClient } from './client.ts';
export type { Debit, DebitAttempt, DebitTerms, ReceivingAccount } from './debits.ts';
export { PspRefused, PspUnavailable, readable } from './failures.ts';
export type { PixPage } from './received.ts';
export type { Recurrence, RecurrenceTerms } from './recurrences.ts';
export type { Charge, ChargeTerms, ReceivedPix, Refund } from './translate.ts';
export { instant } from './wire-values.ts';
