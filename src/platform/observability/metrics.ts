import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client';
import { RequestDurations } from './request-durations.ts';
import { uncaughtErrors } from './uncaught-errors.ts';

export type Metrics = ReturnType<typeof openMetrics>;

/** One registry per process (gather-metrics.ts merges several), served in Prometheus' text format at the staff door. */
export function openMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new RequestDurations();
  registry.registerMetric(requests as unknown as Metric);
  const counter = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  const keyRefusals = counter(
    'api_key_refusals_total',
    'Requests refused for their API key, by problem code.',
    'code',
  );
  const caughtUp = new Gauge({
    name: 'caches_trusted',
    help: '1 while the change feed of the database is alive, so that cached answers are known to be current.',
    aggregator: 'min',
    registers: [registry],
  });
  const databaseWritable = new Gauge({
    name: 'database_writable',
    help: '0 for two seconds after the database refused work: its disk is full, or it is read-only, or has no memory or connections left.',
    aggregator: 'min',
    registers: [registry],
  });
  const databaseAway = counter(
    'database_away_total',
    'Work that failed because the database was away, by SQLSTATE, system code, timeout or lost.',
    'reason',
  );
  new Counter({
    name: 'uncaught_errors_total',
    help: 'Errors that nobody caught, by kind: rejection or exception. Each is a defect, and logged whole.',
    labelNames: ['kind'] as const,
    registers: [registry],
    collect() {
      this.reset();
      for (const [kind, count] of Object.entries(uncaughtErrors)) this.inc({ kind }, count);
    },
  });
  return { registry, counter, requests, keyRefusals, caughtUp, databaseWritable, databaseAway };
}
