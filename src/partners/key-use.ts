import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/database/db.ts';
import type { Log } from '#platform/observability/log.ts';
import { markUsed } from './store.ts';

const WRITE_EVERY_MS = 2_000;

/** Collects which keys are used and writes `last_used_at` every two seconds, in one statement. */
export class KeyUse {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #usedSince = new Set<string>();
  readonly #timer: NodeJS.Timeout;

  constructor(db: Db, clock: Clock, log: Log) {
    this.#db = db;
    this.#clock = clock;
    this.#log = log;
    this.#timer = setInterval(() => void this.write(), WRITE_EVERY_MS);
    this.#timer.unref();
  }

  note(keyId: string): void {
    this.#usedSince.add(keyId);
  }

  async write(): Promise<void> {
    if (this.#usedSince.size === 0) return;
    const at = this.#clock.now();
    const ids = [...this.#usedSince];
    this.#usedSince.clear();
    try {
      await markUsed(this.#db, ids, at);
    } catch (error) {
      for (const id of ids) this.#usedSince.add(id);
      this.#log.warn({ err: error }, 'last use of keys could not be written yet');
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.write();
  }
}
