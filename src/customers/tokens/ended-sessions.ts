import type { Deps } from '#module';
import type { Clock } from '#platform/clock.ts';
import { SyncedCache } from '#platform/nodes/synced-cache.ts';
import { listEndedSince } from '../sessions/store.ts';
import { TOKEN_LIFE_MS } from './access-token.ts';

/** A token outlives its session by at most this; a minute is for clocks that differ. */
const REMEMBERED_MS = TOKEN_LIFE_MS + 60_000;
const PRUNE_ABOVE = 20_000;

/**
 * Ended sessions whose tokens may still be in use, so that no request has to query the database for its session. The change feed
 * adds to it: a session that ends on any node is refused on all, within a second. While it is not current, `has` may not be called.
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
          for (const sessionId of changes) this.note(sessionId);
          return;
        }
        const since = new Date(clock.now().getTime() - REMEMBERED_MS);
        for (const { id, ended_at } of await listEndedSince(db, since)) {
          this.#endedAtMs.set(id, ended_at.getTime());
        }
      },
      onFailure: (error) => log.warn({ err: error }, 'ended sessions could not be read again yet'),
    });
    this.#clock = clock;
  }

  has(sessionId: string): boolean {
    return this.#endedAtMs.has(sessionId);
  }

  /** Refuses the session on this node from now on. Call it only after the commit. */
  note(sessionId: string): void {
    this.#endedAtMs.set(sessionId, this.#clock.now().getTime());
    if (this.#endedAtMs.size > PRUNE_ABOVE) this.#prune();
  }

  #prune(): void {
    const longAgoMs = this.#clock.now().getTime() - REMEMBERED_MS;
    for (const [id, endedAtMs] of this.#endedAtMs) {
      if (endedAtMs < longAgoMs) this.#endedAtMs.delete(id);
    }
  }
}
