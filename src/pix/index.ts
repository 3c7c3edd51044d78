export { pixService } from './open-pix.ts';
export type { PixSettings, PspConnection } from './settings.ts';
export { sumCharges, sumRefunded } from './store/figures.ts';
