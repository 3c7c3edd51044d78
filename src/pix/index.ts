export { createCharge } from './charges/create-charge.ts';
export { pixService } from './open-pix.ts';
export type { Pix } from './pix.ts';
export type { PixSettings, PspConnection } from './settings.ts';
export { sumCharges, sumRefunded } from './store/figures.ts';
