export { seedDemo } from './demo-data.ts';
