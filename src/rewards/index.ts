export { sumMovements } from './figures-store.ts';
export { cashbackOwed } from './reading-store.ts';
