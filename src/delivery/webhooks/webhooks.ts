import type { Deps, ModulePart } from '#module';
import type { Command } from '#platform/command-line/command.ts';
import { openEndpoints } from '#platform/http/endpoint.ts';
import { webhookCreate } from './commands/webhook-create.ts';
import { webhookDeliveries } from './commands/webhook-deliveries.ts';
import { webhookList } from './commands/webhook-list.ts';
import { webhookListen } from './commands/webhook-listen.ts';
import { webhookReplay } from './commands/webhook-replay.ts';
import { webhookRotate } from './commands/webhook-rotate.ts';
import { webhookShow } from './commands/webhook-show.ts';
import { webhookDisable, webhookEnable } from './commands/webhook-switch.ts';
import { webhookTest } from './commands/webhook-test.ts';
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
