import { createClientWith } from './client.ts';
import { nodeTransport } from './node-transport.ts';

export { nodeTransport } from './node-transport.ts';
export * from './portable.ts';
export { verifyWebhook, WebhookError } from './webhooks.ts';

/** Creates a client that sends requests by node:http over keep-alive connections. */
export const createClient = createClientWith(nodeTransport);
