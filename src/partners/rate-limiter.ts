import type { Db } from '#platform/database/db.ts';
import { leaseRequests } from './store.ts';

/** Whether a request is granted, the requests that remain in this minute, and the time until the next minute. */
export type Allowance = { granted: boolean; remaining: number; secondsLeft: number };

type Lease = {
  /** The requests that this node may still serve without a query. */
  leasedRequests: number;
  /** The requests that no node had leased at the time of the last query. */
  unleasedRequests: number;
  endsAtMs: number;
};

const SMALL_LIMIT = 60;

/**
 * Counts requests per key and minute for all nodes together. A node leases requests in lots (a twentieth of the limit; one request if the
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
      if (lease.leasedRequests > 0) {
        lease.leasedRequests--;
        return { granted: true, remaining: lease.leasedRequests + lease.unleasedRequests, secondsLeft };
      }
      if (lease.unleasedRequests === 0) return { granted: false, remaining: 0, secondsLeft };
    }
    return this.#renewLease(keyId, limit).then(() => this.takeRequest(keyId, limit));
  }

  /** Runs at most one query at a time per key. Concurrent requests share its result. */
  #renewLease(keyId: string, limit: number): Promise<void> {
    const pendingQuery = this.#pendingQueries.get(keyId);
    if (pendingQuery) return pendingQuery;
    const lotSize = limit <= SMALL_LIMIT ? 1 : Math.ceil(limit / 20);
    const startedAtMs = performance.now();
    const query = leaseRequests(this.#db, keyId, lotSize)
      .then(({ totalLeased, secondsLeft }) => {
        const excessRequests = Math.max(0, totalLeased - limit);
        this.#leases.set(keyId, {
          leasedRequests: Math.max(0, lotSize - excessRequests),
          unleasedRequests: Math.max(0, limit - totalLeased),
          // Measured from before the query, so the lease may end early, but never extends into the next minute.
          endsAtMs: startedAtMs + secondsLeft * 1000,
        });
      })
      .finally(() => this.#pendingQueries.delete(keyId));
    this.#pendingQueries.set(keyId, query);
    return query;
  }
}
