const NAME = 'http_request_duration_seconds';
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

type Labels = { door: string; method: string; route: string; status: number };
type Series = { labels: Labels; counts: number[]; sum: number };
type Value = { metricName: string; labels: Labels | (Labels & { le: number | string }); value: number };

/** Like prom-client's histogram, but without allocating and hashing an object per request. */
export class RequestDurations {
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
