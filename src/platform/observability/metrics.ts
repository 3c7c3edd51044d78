import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { roundTrips } from '../database/batch-query.ts';
import type { Log } from './log.ts';
import { uncaughtErrors } from './uncaught-errors.ts';

const BUCKET_BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to the last byte handed to the network, by route pattern.',
    // `door` is the API server: `front` for the partner API, or `staff`.
    labelNames: ['door', 'method', 'route', 'status'] as const,
    buckets: BUCKET_BOUNDS,
    registers: [registry],
  });
  const createCounter = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  const keyRefusals = createCounter(
    'api_key_refusals_total',
    'Requests refused because of their API key, by problem code.',
    'code',
  );
  /** Creates a gauge whose lowest value among several processes is reported. */
  const createGauge = (name: string, help: string) =>
    new Gauge({ name, help, aggregator: 'min', registers: [registry] });
  const cachesTrusted = createGauge(
    'caches_trusted',
    '1 while the change feed of the database is alive, so that cached responses are known to be current.',
  );
  const databaseWritable = createGauge(
    'database_writable',
    '0 for two seconds after the database refused a write: its disk is full, it is read-only, or it has no memory or connections left.',
  );
  const databaseUnavailable = createCounter(
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
    createCounter,
    requests,
    keyRefusals,
    cachesTrusted,
    databaseWritable,
    databaseUnavailable,
  };
}

const SLOW_REQUEST_MS = 1_000;

type HandledRequest = {
  id: string;
  method: string;
  /** The URL pattern, never the URL: URLs contain search terms. */
  route: string;
  status: number;
  elapsedMs: number;
  caller: { partnerId: string; keyId: string } | null;
};

/** Counts a request in the metrics. Failed, writing and slow requests are logged at level info, others at level debug. */
export function recordRequest(
  { name, metrics, log }: { name: string; metrics: Metrics; log: Log },
  { id, method, route, status, elapsedMs, caller }: HandledRequest,
): void {
  metrics.requests.observe({ door: name, method, route, status }, elapsedMs / 1000);
  const isRead = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
  const level = status >= 400 || elapsedMs >= SLOW_REQUEST_MS || !isRead ? 'info' : 'debug';
  if (!log.isLevelEnabled(level)) return;
  const ms = Math.round(elapsedMs * 100) / 100;
  const logFields = { request_id: id, door: name, method, route, status, ms };
  log[level]({ ...logFields, partner: caller?.partnerId, key: caller?.keyId }, 'request');
}
