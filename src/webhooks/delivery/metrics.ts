import { Gauge } from 'prom-client';
import type { Db } from '#platform/database/db.ts';
import type { Metrics } from '#platform/observability/metrics.ts';
import { listLongestWaits } from './store.ts';

export type WebhookMetrics = ReturnType<typeof createWebhookMetrics>;

/** Bounds the number of labels: the other webhooks share the label `other`. */
const MAX_LABELED_WEBHOOKS = 20;

export function createWebhookMetrics({ registry, createCounter }: Metrics, db: Db) {
  const registers = [registry];
  const attemptCounter = createCounter(
    'webhook_attempts_total',
    'Calls of webhook endpoints: delivered, to be retried, or failed permanently.',
    'outcome',
  );
  const disabledCounter = createCounter(
    'webhook_endpoints_disabled_total',
    'Endpoints that were disabled because they responded with 410 (gone) or failed for five days (failing).',
    'reason',
  );
  new Gauge({
    name: 'webhook_oldest_waiting_seconds',
    help: `Age of the oldest pending delivery, for the ${MAX_LABELED_WEBHOOKS} endpoints with the oldest ones; other: the maximum of the rest.`,
    labelNames: ['endpoint'] as const,
    aggregator: 'max',
    registers,
    async collect() {
      // An unavailable database is reported elsewhere.
      const longestWaits = await listLongestWaits(db, MAX_LABELED_WEBHOOKS + 1).catch(() => []);
      this.reset();
      for (const [i, { id, seconds }] of longestWaits.entries())
        this.set({ endpoint: i < MAX_LABELED_WEBHOOKS ? id : 'other' }, seconds);
    },
  });
  return { attemptCounter, disabledCounter };
}
