export * from './admin-keys.ts';
export * from './admin-partners.ts';
