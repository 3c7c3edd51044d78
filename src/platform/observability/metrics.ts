import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client';
import { roundTrips } from '../database/batch-query.ts';
import { RequestDurations } from './request-durations.ts';
import { uncaughtErrors } from './uncaught-errors.ts';

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new RequestDurations();
  registry.registerMetric(requests as unknown as Metric);
  const counter = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  const keyRefusals = counter(
    'api_key_refusals_total',
    'Requests refused because of their API key, by problem code.',
    'code',
  );
  /** Of several processes the lowest value counts. */
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, aggregator: 'min', registers: [registry] });
  const cachesTrusted = gauge(
    'caches_trusted',
    '1 while the change feed of the database is alive, so that cached responses are known to be current.',
  );
  const databaseWritable = gauge(
    'database_writable',
    '0 for two seconds after the database refused a write: its disk is full, it is read-only, or it has no memory or connections left.',
  );
  const databaseUnavailable = counter(
    'database_away_total',
    'Operations that failed because the database was unavailable, by SQLSTATE, system error code, timeout or lost.',
    'reason',
  );
  new Counter({
    name: 'database_round_trips_total',
    help: 'Round trips to the database, without those that fetch and complete jobs. Several statements share one.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(roundTrips.count);
    },
  });
  new Counter({
    name: 'uncaught_errors_total',
    help: 'Uncaught errors by kind: rejection or exception. Each is a bug and is logged in full.',
    labelNames: ['kind'] as const,
    registers: [registry],
    collect() {
      this.reset();
      for (const [kind, count] of Object.entries(uncaughtErrors)) this.inc({ kind }, count);
    },
  });
  return {
    registry,
    counter,
    requests,
    keyRefusals,
    caughtUp: cachesTrusted,
    databaseWritable,
    databaseUnavailable,
  };
}
