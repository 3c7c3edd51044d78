export * from './wallet-calendar.ts';
