export { seedEmptyDatabase } from './demo-data.ts';
