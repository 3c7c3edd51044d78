export * from './admin-messages.ts';
export * from './agreements.ts';
export * from './wallet-messages.ts';
