export { sumMovements } from './figures-store.ts';
