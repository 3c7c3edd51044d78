export * from './admin-leads-merchant.ts';
export * from './admin-merchants-members.ts';
export * from './merchant-auth.ts';
export * from './merchant-members.ts';
