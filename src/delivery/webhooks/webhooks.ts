import type { ModulePart } from '#module';
import type { Clock } from '#platform/clock.ts';
import type { Command } from '#platform/command-line/command.ts';
import type { Db } from '#platform/database/db.ts';
import { openEndpoints } from '#platform/http/endpoint.ts';
import type { ChangeFeed } from '#platform/nodes/change-feed.ts';
import type { Log } from '#platform/observability/log.ts';
import type { Metrics } from '#platform/observability/metrics.ts';
import type { Vault } from '#platform/privacy/vault.ts';
import type { Mode } from '#platform/settings.ts';
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
export function openWebhooks(parts: {
  settings: WebhookSettings;
  config: { mode: Mode };
  db: Db;
  changeFeed: ChangeFeed;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  vault: Vault;
}) {
  const { settings, db, clock, log, vault, changeFeed } = parts;
  const { mode } = parts.config;
  const sender = openSender({ mode, ...settings });
  const metrics = webhookMetrics(parts.metrics, db);
  const deliverer = new Deliverer({ db, clock, log, vault, sender, metrics, changeFeed }, settings);
  const deps = { db, clock, vault, mode, sender };
  return {
    ...openEndpoints(endpoints, deps),
    async start() {
      await resealSecrets(db, vault);
      deliverer.start();
    },
    drain: () => deliverer.drain(),
    stop: () => deliverer.stop(),
  } satisfies ModulePart;
}
