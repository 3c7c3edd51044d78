import type { Endpoint } from '#platform/http/endpoint.ts';
import { getWalletEvents } from './http/get-wallet-events.ts';
import { type Streams, tooManyStreams } from './streams.ts';

export { type EventHandler, type Events, openEvents, type Reaction } from './events.ts';
export { Streams } from './streams.ts';

/** At the front door. */
export function eventEndpoints(streams: Streams): Endpoint[] {
  return [getWalletEvents(streams)];
}

export const eventProblems = [tooManyStreams];
