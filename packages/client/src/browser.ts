import { createClientWith } from './client.ts';
import { fetchTransport } from './transport.ts';

export * from './portable.ts';

/** Creates a client that sends requests by `fetch`. This entry is for browsers and React Native: it imports nothing of Node. */
export const createClient = createClientWith(() => fetchTransport);
