export { createCharge } from './charges/create-charge.ts';
export { describeRejection } from './debits.ts';
export { pixService } from './open-pix.ts';
export type { Pix } from './pix.ts';
export type { PixSettings, PspConnection } from './settings.ts';
export { findChargeByIdOrTxid } from './store/charges.ts';
export {
  countActiveAuthorisations,
  sumCharges,
  sumDebitAttempts,
  sumDebitRefusals,
  sumRefunded,
} from './store/statistics.ts';
