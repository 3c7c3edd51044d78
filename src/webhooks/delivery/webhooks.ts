import type { Deps, ModuleRuntime } from '#module';
import { buildEndpoints } from '#platform/http/endpoint.ts';
import { Deliverer } from './deliverer.ts';
import { reencryptSecrets } from './endpoints.ts';
import * as endpoints from './http/index.ts';
import { createWebhookMetrics } from './metrics.ts';
import { openSender } from './sender.ts';
import type { WebhookSettings } from './settings.ts';

export const WEBHOOKS_TAG = {
  name: 'Webhooks',
  paths: ['/admin/webhooks'],
  description: 'Webhook endpoints of partners and their deliveries.',
};

export const PARTNER_WEBHOOKS_TAG = {
  name: 'Webhooks',
  paths: ['/webhooks'],
  description:
    'Your webhook endpoints and their deliveries. A key that is bound to a merchant manages only the endpoints of that merchant.',
};

/** The part of a node that delivers events to webhook endpoints. */
export function openWebhooks(deps: Deps<WebhookSettings>) {
  const { settings, config, db, clock, vault } = deps;
  const { mode } = config;
  const sender = openSender({ mode, ...settings });
  const metrics = createWebhookMetrics(deps.metrics, db);
  const deliverer = new Deliverer({ ...deps, sender, metrics }, settings);
  return {
    ...buildEndpoints(endpoints, { db, clock, vault, mode, sender }),
    async start() {
      await reencryptSecrets(db, vault);
      deliverer.start();
    },
    drain: () => deliverer.drain(),
    stop: () => deliverer.stop(),
  } satisfies ModuleRuntime;
}
