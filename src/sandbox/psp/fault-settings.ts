import type { Db } from '#platform/database/db.ts';
import { type Faults, NO_FAULTS } from './faults.ts';
import { releaseStuckRefunds } from './store/pix.ts';
import { findFaults, updateFaults } from './store/settings.ts';

/** How long a node caches the faults, because every call reads them. */
export const FAULTS_TTL_MS = 200;

/** The current faults. They are stored in the database, so that all nodes use the same. */
export class FaultSettings {
  readonly #db: Db;
  #cached: Promise<Faults> | undefined;
  #readAtMs = Number.NEGATIVE_INFINITY;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Concurrent callers share one read. */
  current(): Promise<Faults> {
    const nowMs = performance.now();
    if (this.#cached && nowMs - this.#readAtMs < FAULTS_TTL_MS) return this.#cached;
    const reading = findFaults(this.#db).then((stored) => ({ ...NO_FAULTS, ...stored }));
    reading.catch(() => {
      if (this.#cached === reading) this.#cached = undefined;
    });
    this.#cached = reading;
    this.#readAtMs = nowMs;
    return reading;
  }

  /** Resolves when no node uses the old faults any more. */
  async set(faults: Faults): Promise<Faults> {
    await updateFaults(this.#db, faults);
    if (faults.refund !== 'stuck') await releaseStuckRefunds(this.#db);
    this.#cached = undefined;
    await new Promise((resolve) => setTimeout(resolve, FAULTS_TTL_MS));
    return this.current();
  }
}
