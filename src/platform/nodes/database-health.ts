import type { DatabaseAway } from '../database/db.ts';
import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';

/** Writes count as possible again this long after the last refusal. */
const REST_MS = 2_000;
const LOG_EVERY_MS = 1_000;
/** SQLSTATE of refused writes: read-only; no disk, memory or connections left; system error. Reads may still work. */
const REFUSALS = /^(?:25006|53|58)/;

/** The health of the database as requests see it: for readiness, logs and metrics. */
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

  /** Records that the database refused a write. */
  noteRefusal(): void {
    this.#refusedAtMs = performance.now();
  }

  /** False shortly after a refused write. */
  isWritable(): boolean {
    return performance.now() - this.#refusedAtMs >= REST_MS;
  }
}
