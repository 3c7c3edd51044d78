import { DAY_MS } from '#core/values/duration.ts';
import { EVENTS_TOPIC, findNewestPosition, findPosition, listEventsAfter, purgeEvents } from '#events';
import { MEMBERS_TOPIC } from '#members';
import { defineModule } from '#module';
import { keyValidator } from '#partners';
import { buildEndpoints } from '#platform/http/endpoint.ts';
import { webhooksListen } from './delivery/commands/webhooks-listen.ts';
import { type WebhookSettings, webhookSettings } from './delivery/settings.ts';
import { countAutoDisabled } from './delivery/store.ts';
import { openWebhooks, PARTNER_WEBHOOKS_TAG, WEBHOOKS_TAG } from './delivery/webhooks.ts';
import { findPartnerPosition, listFeedEvents } from './feed-store.ts';
import * as endpoints from './http/index.ts';
import {
  findMerchantPosition,
  findNewestMerchantPosition,
  listMerchantEventsAfter,
  purgeMerchantEvents,
} from './merchant-store.ts';
import { webhooksPersonalData } from './personal-data.ts';
import { findNewestPartnerPosition, purgePartnerEvents } from './publish-store.ts';
import { FEED_TOPIC, MERCHANTS_TOPIC, Relay } from './relay.ts';
import { webhooks } from './schemas.ts';
import { type Credentials, Streams } from './streams.ts';

const EVENTS_TAG = {
  name: 'Events',
  paths: ['/events', '/merchant/events'],
  description:
    'Events for partners: as webhooks, as a feed and as a stream. Requires a key with the scope `wallet` (events of customers who logged ' +
    'in through the partner), `merchant` (events of the merchant) or `public` (events of leads).',
};

const STAFF_EVENTS_TAG = {
  name: 'Events',
  paths: ['/admin/events'],
  description: 'All events of the last 90 days.',
};

const RETENTION_MS = 90 * DAY_MS;
const MERCHANT_EVENT_RETENTION_MS = 2 * DAY_MS;

export const webhooksModule = defineModule<WebhookSettings>({
  name: 'webhooks',
  settings: webhookSettings,
  tags: { partner: [EVENTS_TAG, PARTNER_WEBHOOKS_TAG], staff: [STAFF_EVENTS_TAG, WEBHOOKS_TAG] },
  webhooks,
  personalData: webhooksPersonalData,
  commands: ({ settings }) => [webhooksListen(settings)],
  open(deps) {
    const { db, clock } = deps;
    const keys = deps.findService(keyValidator)!;
    const hasKeyEnded = async ({ keyId }: Credentials) => !(await keys.isUsable(keyId, clock.now()));
    const hasSessionEnded = ({ sessionId }: Credentials, ended?: string) => {
      if (sessionId === undefined) return false;
      return ended === undefined ? deps.hasSessionEnded(sessionId) : ended === 'all' || ended === sessionId;
    };
    const walletStreams = new Streams(deps, {
      topic: EVENTS_TOPIC,
      listAfter: async (_, customerId, after, limit) =>
        (await listEventsAfter(db, customerId, after, limit)).map((event) => ({
          ...event,
          data: { ...(event.data as object), customer_id: customerId },
        })),
      findPosition,
      findNewestPosition: findNewestPosition,
      endChecks: { keys: hasKeyEnded, sessions: hasSessionEnded },
    });
    const merchantStreams = new Streams(deps, {
      topic: MERCHANTS_TOPIC,
      listAfter: listMerchantEventsAfter,
      findPosition: findMerchantPosition,
      findNewestPosition: findNewestMerchantPosition,
      endChecks: {
        keys: hasKeyEnded,
        sessions: hasSessionEnded,
        // A stream has the permissions of the role it was opened with. A changed member must reconnect to get the new ones.
        [MEMBERS_TOPIC]: ({ memberId }, changed) => changed !== undefined && changed === memberId,
      },
    });
    const feedStreams = new Streams(deps, {
      topic: FEED_TOPIC,
      listAfter: async (_, partnerId, after, limit, filter) =>
        (await listFeedEvents(db, partnerId, { after, filter: filter!, limit })).events,
      findPosition: findPartnerPosition,
      findNewestPosition: findNewestPartnerPosition,
      endChecks: { keys: hasKeyEnded },
    });
    const relay = new Relay(deps);
    const delivery = openWebhooks(deps);
    const builtEndpoints = buildEndpoints(endpoints, {
      db,
      clock: deps.clock,
      walletStreams,
      merchantStreams,
      feedStreams,
    });
    return {
      ...delivery,
      partner: [...builtEndpoints.partner, ...delivery.partner],
      staff: [...builtEndpoints.staff, ...delivery.staff],
      pendingWork: { webhooks: () => countAutoDisabled(db) },
      async housekeeping(now) {
        const before = new Date(now.getTime() - RETENTION_MS);
        await purgeEvents(db, before);
        await purgePartnerEvents(db, before);
        await purgeMerchantEvents(db, new Date(now.getTime() - MERCHANT_EVENT_RETENTION_MS));
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
