export * from './admin-members.ts';
export * from './merchant-auth.ts';
export * from './merchant-members.ts';
