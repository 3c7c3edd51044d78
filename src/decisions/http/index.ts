export * from './admin-credit-decisions.ts';
export * from './admin-credit-policy.ts';
export * from './wallet-credit.ts';
