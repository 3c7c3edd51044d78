export type { Debit, DebitAttempt, ReceivingAccount, Recurrence } from './autopay.ts';
export {
  parseCallbackEntries,
  parseReportedPayment,
  parseReportedRecId,
  pickEntryIds,
} from './callbacks.ts';
export type { PspClient } from './client.ts';
export { isPspError, PspRefused, PspUnavailable, tryPspCall } from './failures.ts';
export type { PixPage, PutCharge } from './payments.ts';
export type { Charge, ChargeTerms, ReceivedPix, Refund } from './translate.ts';
export type { ClientCertificate } from './transport.ts';
