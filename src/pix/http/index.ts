export * from './admin-autopay.ts';
export * from './admin-pix-charges.ts';
export * from './admin-pix-orphans.ts';
export * from './admin-pix-payments.ts';
export * from './admin-pix-refunds.ts';
export * from './wallet-checkouts-autopay.ts';
export * from './wallet-pix.ts';
