import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client';
import { roundTrips } from '../database/batch-query.ts';
import { uncaughtErrors } from './uncaught-errors.ts';

const NAME = 'http_request_duration_seconds';
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

type Labels = { door: string; method: string; route: string; status: number };
type Series = { labels: Labels; counts: number[]; sum: number };
type Value = { metricName: string; labels: Labels | (Labels & { le: number | string }); value: number };

/** Like prom-client's histogram, but without allocating and hashing an object per request. */
class RequestDurations {
  readonly name = NAME;
  /** Series by route. A route has few series, so a linear search is cheaper than building a key. */
  readonly #series = new Map<string, Series[]>();

  observe(door: string, method: string, route: string, status: number, seconds: number): void {
    const series = this.#find(door, method, route, status);
    let bucket = 0;
    while (bucket < BOUNDS.length && seconds > BOUNDS[bucket]!) bucket++;
    series.counts[bucket]!++;
    series.sum += seconds;
  }

  #find(door: string, method: string, route: string, status: number): Series {
    const routeSeries = this.#series.get(route) ?? [];
    if (routeSeries.length === 0) this.#series.set(route, routeSeries);
    for (const series of routeSeries) {
      const { labels } = series;
      if (labels.status === status && labels.method === method && labels.door === door) return series;
    }
    const newSeries = {
      labels: { door, method, route, status },
      counts: new Array(BOUNDS.length + 1).fill(0),
      sum: 0,
    };
    routeSeries.push(newSeries);
    return newSeries;
  }

  /** The interface that prom-client's registry expects of a metric. */
  async get() {
    return {
      name: NAME,
      help: 'Time from the arrival of a request to the last byte handed to the network, by route pattern.',
      type: 'histogram',
      values: [...this.#series.values()].flat().flatMap(toValues),
      aggregator: 'sum',
    };
  }

  reset(): void {
    this.#series.clear();
  }
}

function toValues({ labels, counts, sum }: Series): Value[] {
  let total = 0;
  const buckets = counts.map((count, i) => {
    total += count;
    return { metricName: `${NAME}_bucket`, labels: { ...labels, le: BOUNDS[i] ?? '+Inf' }, value: total };
  });
  return [
    ...buckets,
    { metricName: `${NAME}_sum`, labels, value: sum },
    { metricName: `${NAME}_count`, labels, value: total },
  ];
}

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
