import type { Deps } from '#module';
import type { Clock } from '#platform/clock.ts';
import { SyncedCache } from '#platform/nodes/synced-cache.ts';
import { listEndedSince } from '../sessions/store.ts';
import { TOKEN_TTL_MS } from './access-token.ts';

/** A token outlives its session by at most this. Includes a minute for clock skew between nodes. */
const RETENTION_MS = TOKEN_TTL_MS + 60_000;
const PRUNE_ABOVE = 20_000;

/**
 * A cache of ended sessions whose tokens have not expired, so that requests need not query the database. The change feed updates it:
 * a session that ends on one node is refused on all nodes within a second. `has` must not be called while the cache is not current.
 */
export class EndedSessions extends SyncedCache {
  readonly #clock: Clock;
  readonly #endedAtMs = new Map<string, number>();

  constructor({ db, changeFeed, clock, log }: Pick<Deps, 'db' | 'changeFeed' | 'clock' | 'log'>) {
    super({
      changeFeed,
      topic: 'sessions',
      apply: async (changes) => {
        if (changes !== 'everything') {
          for (const sessionId of changes) this.add(sessionId);
          return;
        }
        const since = new Date(clock.now().getTime() - RETENTION_MS);
        for (const { id, ended_at } of await listEndedSince(db, since)) {
          this.#endedAtMs.set(id, ended_at.getTime());
        }
      },
      onFailure: (error) => log.warn({ err: error }, 'could not reload ended sessions; will retry'),
    });
    this.#clock = clock;
  }

  has(sessionId: string): boolean {
    return this.#endedAtMs.has(sessionId);
  }

  /** Makes this node refuse the session. Call it only after the commit. */
  add(sessionId: string): void {
    this.#endedAtMs.set(sessionId, this.#clock.now().getTime());
    if (this.#endedAtMs.size > PRUNE_ABOVE) this.#prune();
  }

  #prune(): void {
    const oldestRetainedMs = this.#clock.now().getTime() - RETENTION_MS;
    for (const [id, endedAtMs] of this.#endedAtMs) {
      if (endedAtMs < oldestRetainedMs) this.#endedAtMs.delete(id);
    }
  }
}
