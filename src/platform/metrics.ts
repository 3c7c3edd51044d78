import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof openMetrics>;

/** One registry per process, in Prometheus' text format at the staff door. */
export function openMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requestSeconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to the last byte handed to the network, by route pattern.',
    labelNames: ['door', 'method', 'route', 'status'] as const,
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const keyRefusals = new Counter({
    name: 'api_key_refusals_total',
    help: 'Requests refused for their API key, by problem code.',
    labelNames: ['code'] as const,
    registers: [registry],
  });
  const caughtUp = new Gauge({
    name: 'caches_trusted',
    help: '1 while the change feed of the database is alive, so that cached answers are known to be current.',
    registers: [registry],
  });
  return { registry, requestSeconds, keyRefusals, caughtUp };
}
