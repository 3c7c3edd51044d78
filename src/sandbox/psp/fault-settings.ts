import type { Db } from '#platform/database/db.ts';
import { CALM, type Faults } from './faults.ts';
import { releaseStuckRefunds } from './store/pix.ts';
import { findFaults, updateFaults } from './store/settings.ts';

/** How long a node goes by what it read: every call asks, and the database has other work. */
export const REMEMBERED_MS = 200;

/** How the simulator misbehaves now. The setting is in the database, so that all nodes agree on it. */
export class FaultSettings {
  readonly #db: Db;
  #known: Promise<Faults> | undefined;
  #readAtMs = Number.NEGATIVE_INFINITY;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Many calls that ask together read once. */
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

  /** Returns when every node goes by it. */
  async set(faults: Faults): Promise<Faults> {
    await updateFaults(this.#db, faults);
    if (faults.refund !== 'stuck') await releaseStuckRefunds(this.#db);
    this.#known = undefined;
    await new Promise((resolve) => setTimeout(resolve, REMEMBERED_MS));
    return this.current();
  }
}
