export * from './admin-events.ts';
export * from './events.ts';
export * from './merchant-events.ts';
export * from './wallet-events.ts';
