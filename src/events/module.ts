import { defineModule } from '#module';
import { customerPartners } from './audience.ts';
import { getWalletEvents } from './http/get-wallet-events.ts';
import { purgePartnerEvents } from './publish-store.ts';
import { Relay } from './relay.ts';
import { purgeEvents } from './store.ts';
import { Streams, tooManyStreams } from './streams.ts';
import { webhookProblems } from './webhooks/problems.ts';
import { type WebhookSettings, webhookSettings } from './webhooks/settings.ts';
import { openWebhooks, WEBHOOKS_TAG, webhookCommands } from './webhooks/webhooks.ts';

const KEPT_MS = 90 * 86_400_000;

export const eventsModule = defineModule<WebhookSettings>({
  name: 'events',
  settings: webhookSettings,
  tags: { staff: [WEBHOOKS_TAG] },
  problems: [tooManyStreams, ...webhookProblems],
  commands: ({ settings }) => webhookCommands(settings),
  open(deps) {
    const streams = new Streams(deps);
    const relay = new Relay({ ...deps, listPartners: deps.find(customerPartners)! });
    const webhooks = openWebhooks(deps);
    return {
      ...webhooks,
      front: [getWalletEvents(streams)],
      async housekeeping(now) {
        const before = new Date(now.getTime() - KEPT_MS);
        await purgeEvents(deps.db, before);
        await purgePartnerEvents(deps.db, before);
      },
      async start() {
        await webhooks.start();
        relay.start();
      },
      drain() {
        streams.stop();
        webhooks.drain();
      },
      async stop() {
        await relay.stop();
        await webhooks.stop();
      },
    };
  },
});
