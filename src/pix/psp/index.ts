export type { FoundCharge, PutCharge, RemovedCharge } from './charges.ts';
export { openPspClient, type PspClient, type PspClientOptions } from './client.ts';
export { PspRefused, PspUnavailable, type Violation } from './failures.ts';
export type { FoundPix, PixPage, PixWindow } from './received.ts';
export type { AskedRefund, FoundRefund } from './refunds.ts';
export type {
  Charge,
  ChargeStatus,
  ChargeTerms,
  ReceivedPix,
  Receiver,
  Refund,
  RefundStatus,
  UnreadablePix,
} from './translate.ts';
export { readPix } from './translate.ts';
export type { ClientCertificate } from './transport.ts';
export type { FoundWebhook } from './webhooks.ts';
export { instant } from './wire-values.ts';
