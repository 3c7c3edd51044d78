import { DAY_MS } from '#core/duration.ts';
import { EVENTS_TOPIC, findNewestPosition, findPosition, listEventsAfter, purgeEvents } from '#events';
import { MEMBERS_TOPIC } from '#members';
import { defineModule } from '#module';
import { knownKeys } from '#partners';
import { openEndpoints } from '#platform/http/endpoint.ts';
import { eventList } from './commands/event-list.ts';
import { findPartnerPosition, readFeed } from './feed-store.ts';
import * as endpoints from './http/index.ts';
import {
  findMerchantPosition,
  findNewestMerchantPosition,
  listMerchantEventsAfter,
  purgeMerchantEvents,
} from './merchant-store.ts';
import { deliveryData } from './personal-data.ts';
import { findNewestPartnerPosition, purgePartnerEvents } from './publish-store.ts';
import { FEED_TOPIC, MERCHANTS_TOPIC, Relay } from './relay.ts';
import { webhooks } from './schemas.ts';
import { type Credentials, Streams } from './streams.ts';
import { type WebhookSettings, webhookSettings } from './webhooks/settings.ts';
import { countSwitchedOff } from './webhooks/store.ts';
import { openWebhooks, WEBHOOKS_TAG, webhookCommands } from './webhooks/webhooks.ts';

const EVENTS_TAG = {
  name: 'Events',
  paths: ['/events', '/merchant/events'],
  description:
    'What happened, for partners: as calls to their endpoints, as a feed to read, and as a stream. Needs a key with the scope ' +
    '`wallet` (of customers who logged in through the partner), `merchant` (of its sales) or `public` (of its forms).',
};

const STAFF_EVENTS_TAG = {
  name: 'Events',
  paths: ['/admin/events'],
  description: 'What happened, to whomever. Kept for 90 days.',
};

const KEPT_MS = 90 * DAY_MS;
const MERCHANTS_KEPT_MS = 2 * DAY_MS;

export const deliveryModule = defineModule<WebhookSettings>({
  name: 'delivery',
  settings: webhookSettings,
  tags: { front: [EVENTS_TAG], staff: [STAFF_EVENTS_TAG, WEBHOOKS_TAG] },
  webhooks,
  personalData: deliveryData,
  commands: ({ settings }) => [...webhookCommands(settings), eventList],
  open(deps) {
    const { db, clock } = deps;
    const keys = deps.find(knownKeys)!;
    const isKeyOver = async ({ keyId }: Credentials) => !(await keys.isUsable(keyId, clock.now()));
    const isSessionOver = ({ sessionId }: Credentials, ended?: string) => {
      if (sessionId === undefined) return false;
      return ended === undefined ? deps.isSessionOver(sessionId) : ended === 'all' || ended === sessionId;
    };
    const walletStreams = new Streams(deps, {
      topic: EVENTS_TOPIC,
      list: listEventsAfter,
      findPosition,
      findNewest: findNewestPosition,
      ends: { keys: isKeyOver, sessions: isSessionOver },
    });
    const merchantStreams = new Streams(deps, {
      topic: MERCHANTS_TOPIC,
      list: listMerchantEventsAfter,
      findPosition: findMerchantPosition,
      findNewest: findNewestMerchantPosition,
      ends: {
        keys: isKeyOver,
        sessions: isSessionOver,
        // A stream has the permissions of the role it was opened with. A changed member reconnects with the new ones.
        [MEMBERS_TOPIC]: ({ memberId }, changed) => changed !== undefined && changed === memberId,
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
    const opened = openEndpoints(endpoints, { db, walletStreams, merchantStreams, feedStreams });
    return {
      ...delivery,
      ...opened,
      staff: [...opened.staff, ...delivery.staff],
      waiting: { webhooks: () => countSwitchedOff(db) },
      async housekeeping(now) {
        const before = new Date(now.getTime() - KEPT_MS);
        await purgeEvents(db, before);
        await purgePartnerEvents(db, before);
        await purgeMerchantEvents(db, new Date(now.getTime() - MERCHANTS_KEPT_MS));
      },
      async start() {
        await delivery.start();
        relay.start();
      },
      drain() {
        walletStreams.stop();
        merchantStreams.stop();
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
