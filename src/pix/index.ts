export { pixService } from './open-pix.ts';
export type { PixSettings, PspConnection } from './settings.ts';
