import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { DatabaseAway } from './db.ts';

/** So long after the last refusal writes count as possible again. */
const REST_MS = 2_000;
const LOG_EVERY_MS = 1_000;
/** Read-only; no disk, memory or connections left; its system fails it. Reads may be answered all the while. */
const REFUSALS = /^(?:25006|53|58)/;

/** How the database has been doing, from what requests met: for readiness, logs and measurements. */
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
    if (REFUSALS.test(away.reason)) this.noteRefusal();
    this.#metrics.databaseAway.inc({ reason: away.reason });
    this.#unlogged += 1;
    if (nowMs - this.#loggedAtMs < LOG_EVERY_MS) return;
    this.#log.warn({ err: away.cause, times: this.#unlogged }, 'the database is away');
    this.#loggedAtMs = nowMs;
    this.#unlogged = 0;
  };

  /** To be told that the database takes no writes. */
  noteRefusal(): void {
    this.#refusedAtMs = performance.now();
  }

  /** Whether it took writes, as far as anybody tried. */
  isWritable(): boolean {
    return performance.now() - this.#refusedAtMs >= REST_MS;
  }
}
