import { Gauge } from 'prom-client';
import type { Db } from '#platform/database/db.ts';
import type { Metrics } from '#platform/observability/metrics.ts';
import { listOldestWaiting } from './store.ts';

export type WebhookMetrics = ReturnType<typeof webhookMetrics>;

/** The others are one figure, which bounds the number of labels. */
const MOST_ENDPOINTS = 20;

export function webhookMetrics({ registry, counter }: Metrics, db: Db) {
  const registers = [registry];
  const attempts = counter(
    'webhook_attempts_total',
    'Calls of webhook endpoints: delivered, to be retried, or failed for good.',
    'outcome',
  );
  const disabled = counter(
    'webhook_endpoints_disabled_total',
    'Endpoints that were disabled because they answered 410 (gone) or failed for five days (failing).',
    'reason',
  );
  new Gauge({
    name: 'webhook_oldest_waiting_seconds',
    help: `How long the oldest delivery has been waiting, for the ${MOST_ENDPOINTS} endpoints where it is longest; other: the longest of the rest.`,
    labelNames: ['endpoint'] as const,
    aggregator: 'max',
    registers,
    async collect() {
      // The database is unavailable: reported elsewhere.
      const waiting = await listOldestWaiting(db, MOST_ENDPOINTS + 1).catch(() => []);
      this.reset();
      for (const [i, { id, seconds }] of waiting.entries())
        this.set({ endpoint: i < MOST_ENDPOINTS ? id : 'other' }, seconds);
    },
  });
  return { attempts, disabled };
}
