import { MINUTE_MS } from '#core/values/duration.ts';
import type { Deps } from '#module';
import type { Clock } from '#platform/clock.ts';
import { type Queryable, runInBatches, sql, type Tx } from '#platform/database/db.ts';
import { notifyChange } from '#platform/nodes/change-feed.ts';
import { SyncedCache } from '#platform/nodes/synced-cache.ts';
import { TOKEN_TTL_MS } from './signing-keys.ts';

/** The longest time that a token can outlive its session, plus a minute for clock skew between nodes. */
const RETENTION_MS = TOKEN_TTL_MS + MINUTE_MS;
const PRUNE_THRESHOLD = 20_000;
const TOPIC = 'sessions';

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
      topic: TOPIC,
      apply: async (changes) => {
        if (changes !== 'everything') {
          this.#add(changes);
          return;
        }
        const oldestRetainedAt = new Date(clock.now().getTime() - RETENTION_MS);
        const retainedSessions = await db.rows<{ id: string; ended_at: Date }>(
          sql`select id, ended_at from ended_sessions where ended_at > ${oldestRetainedAt} order by ended_at`,
        );
        for (const { id, ended_at } of retainedSessions) this.#endedAtMs.set(id, ended_at.getTime());
      },
      onFailure: (error) => log.warn({ err: error }, 'could not reload ended sessions; will retry'),
    });
    this.#clock = clock;
  }

  has(sessionId: string): boolean {
    return this.#endedAtMs.has(sessionId);
  }

  /**
   * Makes all nodes refuse the tokens of the sessions: this node right after the commit, the others by a notification. The notification is
   * part of the transaction, so it cannot get lost in a crash. Sessions end rarely enough for a NOTIFY in each transaction.
   */
  async recordEnded(tx: Tx, ids: readonly string[], endedAt: Date): Promise<void> {
    if (ids.length === 0) return;
    tx.queueWrite(
      sql`insert into ended_sessions (id, ended_at) select id, ${endedAt} from unnest(${ids}::text[]) as id`,
    );
    tx.afterCommit(() => this.#add(ids));
    await notifyChange(tx, TOPIC, ...ids);
  }

  #add(sessionIds: readonly string[]): void {
    for (const id of sessionIds) this.#endedAtMs.set(id, this.#clock.now().getTime());
    if (this.#endedAtMs.size > PRUNE_THRESHOLD) this.#prune();
  }

  #prune(): void {
    const oldestRetainedMs = this.#clock.now().getTime() - RETENTION_MS;
    for (const [id, endedAtMs] of this.#endedAtMs) {
      if (endedAtMs < oldestRetainedMs) this.#endedAtMs.delete(id);
    }
  }
}

/** Makes nodes close their event streams, after the caller has deleted all sessions and signing keys. */
export const notifyAllSessionsEnded = (tx: Tx) => notifyChange(tx, TOPIC, 'all');

export const purgeEndedSessions = (db: Queryable, before: Date) =>
  runInBatches(() =>
    db.run(sql`
      delete from ended_sessions
      where id in (select id from ended_sessions where ended_at < ${before} limit 1000)`),
  );
