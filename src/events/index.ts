import type { Queryable } from '#platform/db.ts';
import type { Endpoint } from '#platform/http/endpoint.ts';
import { getWalletEvents } from './http/get-wallet-events.ts';
import { purgeEvents } from './store.ts';
import { type Streams, tooManyStreams } from './streams.ts';

export { type EventHandler, type Events, openEvents, type Reaction } from './events.ts';
export { Streams } from './streams.ts';

/** At the front door. */
export function eventEndpoints(streams: Streams): Endpoint[] {
  return [getWalletEvents(streams)];
}

export const eventProblems = [tooManyStreams];

const KEPT_MS = 90 * 86_400_000;

export function eventsHousekeeping(db: Queryable, now: Date): Promise<void> {
  return purgeEvents(db, new Date(now.getTime() - KEPT_MS));
}
