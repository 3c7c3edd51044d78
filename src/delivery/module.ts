import { EVENTS_TOPIC, findNewestPosition, findPosition, listEventsAfter, purgeEvents } from '#events';
import { defineModule } from '#module';
import { knownKeys } from '#partners';
import { openEndpoints } from '#platform/http/endpoint.ts';
import { eventList } from './commands/event-list.ts';
import { cursorExpired } from './feed.ts';
import { findPartnerPosition, readFeed } from './feed-store.ts';
import * as endpoints from './http/index.ts';
import { deliveryData } from './personal-data.ts';
import { findNewestPartnerPosition, purgePartnerEvents } from './publish-store.ts';
import { FEED_TOPIC, Relay } from './relay.ts';
import { webhooks } from './schemas.ts';
import { type Shown, Streams, tooManyStreams } from './streams.ts';
import { webhookProblems } from './webhooks/problems.ts';
import { type WebhookSettings, webhookSettings } from './webhooks/settings.ts';
import { openWebhooks, WEBHOOKS_TAG, webhookCommands } from './webhooks/webhooks.ts';

const EVENTS_TAG = {
  name: 'Events',
  paths: ['/events'],
  description:
    'What happened, for partners: as calls to their endpoints, as a feed to read, and as a stream. Needs a key with the scope ' +
    '`wallet` (of customers who logged in through the partner), `merchant` (of its sales) or `public` (of its forms).',
};

const STAFF_EVENTS_TAG = {
  name: 'Events',
  paths: ['/admin/events'],
  description: 'What happened, to whomever. Kept for 90 days.',
};

const KEPT_MS = 90 * 86_400_000;

export const deliveryModule = defineModule<WebhookSettings>({
  name: 'delivery',
  settings: webhookSettings,
  tags: { front: [EVENTS_TAG], staff: [STAFF_EVENTS_TAG, WEBHOOKS_TAG] },
  webhooks,
  problems: [tooManyStreams, cursorExpired, ...webhookProblems],
  personalData: deliveryData,
  commands: ({ settings }) => [...webhookCommands(settings), eventList],
  open(deps) {
    const { db, clock } = deps;
    const keys = deps.find(knownKeys)!;
    const isKeyOver = async ({ keyId }: Shown) => !(await keys.isUsable(keyId, clock.now()));
    const walletStreams = new Streams(deps, {
      topic: EVENTS_TOPIC,
      list: listEventsAfter,
      findPosition,
      findNewest: findNewestPosition,
      ends: {
        keys: isKeyOver,
        sessions: ({ sessionId }, ended) =>
          ended === undefined ? deps.isSessionOver(sessionId!) : ended === 'all' || ended === sessionId,
      },
    });
    const feedStreams = new Streams(deps, {
      topic: FEED_TOPIC,
      list: async (_, partnerId, after, limit, reader) =>
        (await readFeed(db, partnerId, { after, reader: reader!, limit })).events,
      findPosition: findPartnerPosition,
      findNewest: findNewestPartnerPosition,
      ends: { keys: isKeyOver },
    });
    const relay = new Relay(deps);
    const delivery = openWebhooks(deps);
    const opened = openEndpoints(endpoints, { db, walletStreams, feedStreams });
    return {
      ...delivery,
      ...opened,
      staff: [...opened.staff, ...delivery.staff],
      async housekeeping(now) {
        const before = new Date(now.getTime() - KEPT_MS);
        await purgeEvents(db, before);
        await purgePartnerEvents(db, before);
      },
      async start() {
        await delivery.start();
        relay.start();
      },
      drain() {
        walletStreams.stop();
        feedStreams.stop();
        delivery.drain();
      },
      async stop() {
        await relay.stop();
        await delivery.stop();
      },
    };
  },
});
