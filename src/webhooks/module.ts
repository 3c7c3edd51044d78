import { DAY_MS } from '#core/values/duration.ts';
import { EVENTS_TOPIC, findNewestPosition, findPosition, listEventsAfter, purgeEvents } from '#events';
import { findMemberRole, MEMBERS_TOPIC } from '#members';
import { type Deps, defineModule } from '#module';
import { keyValidator } from '#partners';
import { buildEndpoints } from '#platform/http/endpoint.ts';
import { webhooksListen } from './delivery/commands/webhooks-listen.ts';
import { Deliverer } from './delivery/deliverer.ts';
import { createWebhookMetrics } from './delivery/metrics.ts';
import { createSender } from './delivery/sender.ts';
import { type WebhookSettings, webhookSettings } from './delivery/settings.ts';
import { countAutoDisabledWebhooks } from './delivery/store.ts';
import { reencryptSecrets } from './delivery/webhooks.ts';
import { findPartnerPosition, listFeedEvents } from './feed.ts';
import * as endpoints from './http/index.ts';
import {
  findMerchantPosition,
  findNewestMerchantPosition,
  listMerchantEventsAfter,
  purgeMerchantEvents,
} from './merchant-store.ts';
import { webhooksPersonalData } from './personal-data.ts';
import { findNewestEventPosition, purgePartnerEvents } from './publish-store.ts';
import { FEED_TOPIC, MERCHANTS_TOPIC, Relay } from './relay.ts';
import { WEBHOOK_SPECS } from './schemas.ts';
import { type Credentials, Streams } from './streams.ts';

const PARTNER_TAGS = [
  {
    name: 'Events',
    paths: ['/events', '/merchant/events'],
    description:
      'Events for partners: as webhooks, as a feed and as a stream. Requires a key with the scope `wallet` (events of customers who logged ' +
      'in through the partner), `merchant` (events of the merchant) or `public` (events of leads).',
  },
  {
    name: 'Webhooks',
    paths: ['/webhooks'],
    description:
      'Your webhook endpoints and their deliveries. A key that is bound to a merchant manages only the endpoints of that merchant.',
  },
];

const STAFF_TAGS = [
  { name: 'Events', paths: ['/admin/events'], description: 'All events of the last 90 days.' },
  {
    name: 'Webhooks',
    paths: ['/admin/webhooks'],
    description: 'Webhook endpoints of partners and their deliveries.',
  },
];

const EVENT_RETENTION_MS = 90 * DAY_MS;
const MERCHANT_EVENT_RETENTION_MS = 2 * DAY_MS;

export const webhooksModule = defineModule<WebhookSettings>({
  name: 'webhooks',
  settings: webhookSettings,
  tags: { partner: PARTNER_TAGS, staff: STAFF_TAGS },
  webhooks: WEBHOOK_SPECS,
  personalData: webhooksPersonalData,
  commands: ({ settings }) => [webhooksListen(settings)],
  open(deps) {
    const { settings, db, clock, vault } = deps;
    const { mode } = deps.config;
    const streams = createStreams(deps);
    const relay = new Relay(deps);
    const sender = createSender({ mode, ...settings });
    const metrics = createWebhookMetrics(deps.metrics, db);
    const deliverer = new Deliverer({ ...deps, sender, metrics }, settings);
    return {
      ...buildEndpoints(endpoints, { db, clock, vault, mode, sender, ...streams }),
      pendingWork: { webhooks: () => countAutoDisabledWebhooks(db) },
      async housekeeping(now) {
        const occurredBefore = new Date(now.getTime() - EVENT_RETENTION_MS);
        await purgeEvents(db, occurredBefore);
        await purgePartnerEvents(db, occurredBefore);
        await purgeMerchantEvents(db, new Date(now.getTime() - MERCHANT_EVENT_RETENTION_MS));
      },
      async start() {
        await reencryptSecrets(db, vault);
        deliverer.start();
        relay.start();
      },
      drain() {
        for (const stream of Object.values(streams)) stream.stop();
        deliverer.drain();
      },
      async stop() {
        await relay.stop();
        await deliverer.stop();
      },
    };
  },
});

function createStreams(deps: Deps<WebhookSettings>) {
  const { clock } = deps;
  const apiKeys = deps.findService(keyValidator)!;
  const hasKeyEnded = async ({ keyId }: Credentials) => !(await apiKeys.isUsable(keyId, clock.now()));
  const hasSessionEnded = ({ sessionId }: Credentials, endedId?: string) => {
    if (sessionId === undefined) return false;
    if (endedId === undefined) return deps.hasSessionEnded(sessionId);
    // The topic announces `all` if all sessions may have ended.
    return endedId === 'all' || endedId === sessionId;
  };
  const walletStreams = new Streams(deps, {
    topic: EVENTS_TOPIC,
    listAfter: async (db, customerId, position, limit) =>
      (await listEventsAfter(db, customerId, position, limit)).map((event) => ({
        ...event,
        data: { ...(event.data as object), customer_id: customerId },
      })),
    findPosition,
    findNewestPosition,
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
      // A stream has the permissions of the role it was opened with. A changed member must reconnect to get other permissions.
      [MEMBERS_TOPIC]: async ({ member }, changedId) => {
        if (!member) return false;
        if (changedId !== undefined) return changedId === member.id;
        return (await findMemberRole(deps.db, member.id)) !== member.role;
      },
    },
  });
  const feedStreams = new Streams(deps, {
    topic: FEED_TOPIC,
    listAfter: async (db, partnerId, afterPosition, limit, filter) =>
      (await listFeedEvents(db, partnerId, { afterPosition, filter: filter!, limit })).events,
    findPosition: findPartnerPosition,
    findNewestPosition: findNewestEventPosition,
    endChecks: { keys: hasKeyEnded },
  });
  return { walletStreams, merchantStreams, feedStreams };
}
