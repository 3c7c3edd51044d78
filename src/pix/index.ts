export { createCharge } from './charges/create-charge.ts';
export { inWords } from './debits/words.ts';
export { pixService } from './open-pix.ts';
export type { Pix } from './pix.ts';
export type { PixSettings, PspConnection } from './settings.ts';
export { countAuthorised, sumCharges, sumRefunded, sumRefusals, sumTries } from './store/figures.ts';
