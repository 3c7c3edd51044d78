import type { Deps, ModulePart } from '#module';
import type { Command } from '#platform/command-line/command.ts';
import { openEndpoints } from '#platform/http/endpoint.ts';
import { webhookDeliveries, webhookReplay, webhookTest } from './commands/webhook-delivery.ts';
import {
  webhookCreate,
  webhookDisable,
  webhookEnable,
  webhookList,
  webhookRotate,
  webhookShow,
} from './commands/webhook-endpoint.ts';
import { webhookListen } from './commands/webhook-listen.ts';
import { Deliverer } from './deliverer.ts';
import { resealSecrets } from './endpoints.ts';
import * as endpoints from './http/index.ts';
import { webhookMetrics } from './metrics.ts';
import { openSender } from './sender.ts';
import type { WebhookSettings } from './settings.ts';

export const WEBHOOKS_TAG = {
  name: 'Webhooks',
  paths: ['/admin/webhooks'],
  description: 'Where partners are called when something happens, and what came of it.',
};

export const webhookCommands = (settings: () => WebhookSettings): Command[] => [
  ...[webhookCreate, webhookList, webhookShow, webhookRotate, webhookDisable, webhookEnable],
  ...[webhookTest(settings), webhookDeliveries, webhookReplay, webhookListen(settings)],
];

/** The part of a node that calls partners. */
export function openWebhooks(deps: Deps<WebhookSettings>) {
  const { settings, config, db, clock, vault } = deps;
  const { mode } = config;
  const sender = openSender({ mode, ...settings });
  const metrics = webhookMetrics(deps.metrics, db);
  const deliverer = new Deliverer({ ...deps, sender, metrics }, settings);
  return {
    ...openEndpoints(endpoints, { db, clock, vault, mode, sender }),
    async start() {
      await resealSecrets(db, vault);
      deliverer.start();
    },
    drain: () => deliverer.drain(),
    stop: () => deliverer.stop(),
  } satisfies ModulePart;
}
