export * from './admin-payout-account.ts';
export * from './admin-payouts.ts';
export * from './merchant-payout-account.ts';
export * from './merchant-payouts.ts';
export * from './merchant-statement.ts';
