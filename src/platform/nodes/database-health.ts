import type { DatabaseUnavailable } from '../database/db.ts';
import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';

/** The database is assumed to be writable again this long after the last refused write. */
const RECOVERY_MS = 2_000;
const LOG_INTERVAL_MS = 1_000;
/** SQLSTATEs of refused writes: read-only; no disk, memory or connections left; system error. Reads may still work. */
const REFUSED_WRITE_STATES = /^(?:25006|53|58)/;

export class DatabaseHealth {
  readonly #deps: { log: Log; metrics: Metrics };
  #lastReadOnlyAtMs = Number.NEGATIVE_INFINITY;
  #lastLoggedAtMs = Number.NEGATIVE_INFINITY;
  #unloggedFailureCount = 0;

  constructor(deps: { log: Log; metrics: Metrics }) {
    this.#deps = deps;
  }

  readonly recordFailure = (failure: DatabaseUnavailable): void => {
    const nowMs = performance.now();
    if (REFUSED_WRITE_STATES.test(failure.reason)) this.markReadOnly();
    this.#deps.metrics.databaseUnavailable.inc({ reason: failure.reason });
    this.#unloggedFailureCount += 1;
    if (nowMs - this.#lastLoggedAtMs < LOG_INTERVAL_MS) return;
    this.#deps.log.warn(
      { err: failure.cause, times: this.#unloggedFailureCount },
      'the database is unavailable',
    );
    this.#lastLoggedAtMs = nowMs;
    this.#unloggedFailureCount = 0;
  };

  markReadOnly(): void {
    this.#lastReadOnlyAtMs = performance.now();
  }

  /** False for a short time after a refused write. */
  isWritable(): boolean {
    return performance.now() - this.#lastReadOnlyAtMs >= RECOVERY_MS;
  }
}
