import type { Db } from '#platform/database/db.ts';
import { leaseRequests } from './store.ts';

/** The requests that are left in this minute, and the time until the next minute. */
export type Allowance = { granted: boolean; remaining: number; secondsLeft: number };

type Lease = {
  /** Requests that this node may still serve without a query. */
  leased: number;
  /** Requests that no node had leased at the time of the last query. */
  unleased: number;
  endsAtMs: number;
};

/**
 * Counts requests per key and minute for all nodes together. A node leases them in lots (a twentieth of the limit; single requests if the
 * limit is small), so the limit is never exceeded and most requests need no query.
 */
export class RateLimiter {
  readonly #db: Db;
  readonly #leases = new Map<string, Lease>();
  readonly #pendingQueries = new Map<string, Promise<void>>();

  constructor(db: Db) {
    this.#db = db;
  }

  takeRequest(keyId: string, limit: number): Allowance | Promise<Allowance> {
    const lease = this.#leases.get(keyId);
    const nowMs = performance.now();
    if (lease && nowMs < lease.endsAtMs) {
      const secondsLeft = Math.max(1, Math.ceil((lease.endsAtMs - nowMs) / 1000));
      if (lease.leased > 0) {
        lease.leased--;
        return { granted: true, remaining: lease.leased + lease.unleased, secondsLeft };
      }
      if (lease.unleased === 0) return { granted: false, remaining: 0, secondsLeft };
    }
    return this.#renewLease(keyId, limit).then(() => this.takeRequest(keyId, limit));
  }

  /** Runs at most one query at a time per key. Concurrent requests share its result. */
  #renewLease(keyId: string, limit: number): Promise<void> {
    const pending = this.#pendingQueries.get(keyId);
    if (pending) return pending;
    const lotSize = limit <= 60 ? 1 : Math.ceil(limit / 20);
    const startedAtMs = performance.now();
    const query = leaseRequests(this.#db, keyId, lotSize)
      .then(({ used, secondsLeft }) => {
        const excess = Math.max(0, used - limit);
        this.#leases.set(keyId, {
          leased: Math.max(0, lotSize - excess),
          unleased: Math.max(0, limit - used),
          // Measured from before the query, so the lease may end early, but never extends into the next minute.
          endsAtMs: startedAtMs + secondsLeft * 1000,
        });
      })
      .finally(() => this.#pendingQueries.delete(keyId));
    this.#pendingQueries.set(keyId, query);
    return query;
  }
}
