export * from '../delivery/http/admin-webhooks.ts';
export * from '../delivery/http/webhooks.ts';
export * from './events.ts';
