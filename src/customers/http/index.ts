export * from './admin-customers.ts';
export * from './admin-customers-account.ts';
export * from './jwks.ts';
export * from './wallet-account.ts';
export * from './wallet-auth.ts';
export * from './wallet-sessions.ts';
