export * from './admin-webhooks.ts';
export * from './webhooks.ts';
