import type { Db } from '#platform/database/db.ts';
import { CALM, type Faults } from './faults.ts';
import { releaseStuckRefunds } from './store/pix.ts';
import { findFaults, updateFaults } from './store/settings.ts';

/** How long a node caches the faults, which every call needs. */
export const REMEMBERED_MS = 200;

/** The current faults. They are in the database, so that all nodes agree. */
export class FaultSettings {
  readonly #db: Db;
  #known: Promise<Faults> | undefined;
  #readAtMs = Number.NEGATIVE_INFINITY;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Concurrent callers share one read. */
  current(): Promise<Faults> {
    const askedAtMs = performance.now();
    if (this.#known && askedAtMs - this.#readAtMs < REMEMBERED_MS) return this.#known;
    const reading = findFaults(this.#db).then((stored) => ({ ...CALM, ...stored }));
    reading.catch(() => {
      if (this.#known === reading) this.#known = undefined;
    });
    this.#known = reading;
    this.#readAtMs = askedAtMs;
    return reading;
  }

  /** Returns when no node uses the old faults any more. */
  async set(faults: Faults): Promise<Faults> {
    await updateFaults(this.#db, faults);
    if (faults.refund !== 'stuck') await releaseStuckRefunds(this.#db);
    this.#known = undefined;
    await new Promise((resolve) => setTimeout(resolve, REMEMBERED_MS));
    return this.current();
  }
}
