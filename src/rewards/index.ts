export { sumMovements } from './figures-store.ts';
export { cashbackOwed } from './reading-store.ts';
export { listExpiring } from './store/lots.ts';
