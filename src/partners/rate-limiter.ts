import type { Db } from '#platform/database/db.ts';
import { leaseRequests } from './store.ts';

/** How many requests are left in this minute, and when the next minute begins. */
export type Allowance = { granted: boolean; remaining: number; secondsLeft: number };

type Lease = {
  /** Requests this node may still serve without a query. */
  here: number;
  /** Requests no node has leased yet, as of the last query. */
  elsewhere: number;
  endsAtMs: number;
};

/**
 * Counts requests per key and minute for all nodes together. A node takes requests from the shared count in small lots (a
 * twentieth of the limit, one by one when the limit is small), so the limit is never exceeded and most requests
 * cost no query. What a node has leased and not used when the minute ends is lost: at most one lot per node.
 */
export class RateLimiter {
  readonly #db: Db;
  readonly #leases = new Map<string, Lease>();
  readonly #asking = new Map<string, Promise<void>>();

  constructor(db: Db) {
    this.#db = db;
  }

  take(keyId: string, limit: number): Allowance | Promise<Allowance> {
    const lease = this.#leases.get(keyId);
    const nowMs = performance.now();
    if (lease && nowMs < lease.endsAtMs) {
      const secondsLeft = Math.max(1, Math.ceil((lease.endsAtMs - nowMs) / 1000));
      if (lease.here > 0) {
        lease.here--;
        return { granted: true, remaining: lease.here + lease.elsewhere, secondsLeft };
      }
      if (lease.elsewhere === 0) return { granted: false, remaining: 0, secondsLeft };
    }
    return this.#lease(keyId, limit).then(() => this.take(keyId, limit));
  }

  /** At most one query at a time for each key: requests that arrive meanwhile share its result. */
  #lease(keyId: string, limit: number): Promise<void> {
    const asked = this.#asking.get(keyId);
    if (asked) return asked;
    const lot = limit <= 60 ? 1 : Math.ceil(limit / 20);
    const askedAtMs = performance.now();
    const asking = leaseRequests(this.#db, keyId, lot)
      .then(({ used, secondsLeft }) => {
        const beyond = Math.max(0, used - limit);
        this.#leases.set(keyId, {
          here: Math.max(0, lot - beyond),
          elsewhere: Math.max(0, limit - used),
          // Counted from before the query: the lease may end early here, but never reaches into the next minute.
          endsAtMs: askedAtMs + secondsLeft * 1000,
        });
      })
      .finally(() => this.#asking.delete(keyId));
    this.#asking.set(keyId, asking);
    return asking;
  }
}
