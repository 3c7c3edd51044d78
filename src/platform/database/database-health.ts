import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { DatabaseAway } from './db.ts';

/** After a database has refused work for lack of resources, it counts as unavailable until this long after the last refusal. */
const REST_MS = 10_000;
const LOG_EVERY_MS = 1_000;
/** No disk, memory or connections left, or a system error. A `select 1` would not detect it. */
const REFUSALS = /^(?:53|58)/;

/** The health of the database as requests and jobs observed it: for readiness, logs and metrics. */
export class DatabaseHealth {
  readonly #log: Log;
  readonly #metrics: Metrics;
  #refusedAtMs = Number.NEGATIVE_INFINITY;
  #loggedAtMs = Number.NEGATIVE_INFINITY;
  #unlogged = 0;

  constructor(parts: { log: Log; metrics: Metrics }) {
    this.#log = parts.log;
    this.#metrics = parts.metrics;
  }

  /** Called with every failure that was due to the database being unavailable. */
  readonly note = (away: DatabaseAway): void => {
    const nowMs = performance.now();
    if (REFUSALS.test(away.reason)) this.#refusedAtMs = nowMs;
    this.#metrics.databaseAway.inc({ reason: away.reason });
    this.#unlogged += 1;
    if (nowMs - this.#loggedAtMs < LOG_EVERY_MS) return;
    this.#log.warn({ err: away.cause, times: this.#unlogged }, 'the database is away');
    this.#loggedAtMs = nowMs;
    this.#unlogged = 0;
  };

  isRefusing(): boolean {
    return performance.now() - this.#refusedAtMs < REST_MS;
  }
}
