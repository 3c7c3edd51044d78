import type { Clock } from '#platform/clock.ts';
import type { Db, Queryable } from '#platform/database/db.ts';
import type { ChangeFeed } from '#platform/nodes/change-feed.ts';
import { type Changes, SyncedCache } from '#platform/nodes/synced-cache.ts';
import type { Log } from '#platform/observability/log.ts';
import { findOffset, markAdvanced, markOffset, type Offset } from './store.ts';

/**
 * A clock that can be moved: real time plus an offset, which is in the database and the same on every node. The change
 * feed's messages carry the offset, so a node needs no query to apply it.
 */
export class SandboxClock implements Clock {
  readonly #base: Clock;
  readonly #db: Db;
  readonly #cache: SyncedCache;
  readonly #onMove: Array<() => void> = [];
  #offset: Offset = { offset_ms: 0, revision: 0 };

  constructor(parts: { base: Clock; db: Db; changeFeed: ChangeFeed; log: Log }) {
    this.#base = parts.base;
    this.#db = parts.db;
    this.#cache = new SyncedCache({
      changeFeed: parts.changeFeed,
      topic: 'clock',
      apply: async (changes) => this.#take(readNews(changes) ?? (await findOffset(this.#db))),
      onFailure: (error) => parts.log.warn({ err: error }, 'the sandbox clock could not be read again yet'),
    });
  }

  now(): Date {
    return new Date(this.#base.now().getTime() + this.#offset.offset_ms);
  }

  get real(): Clock {
    return this.#base;
  }

  onMove(act: () => void): void {
    this.#onMove.push(act);
  }

  get offsetMs(): number {
    return this.#offset.offset_ms;
  }

  whenCurrent(): Promise<void> {
    return this.#cache.whenCurrent();
  }

  async advance(byMs: number): Promise<void> {
    this.#take(await markAdvanced(this.#db, byMs));
  }

  async moveTo(now: Date): Promise<void> {
    this.#take(await markOffset(this.#db, now.getTime() - this.#base.now().getTime()));
  }

  async reset(): Promise<void> {
    this.#take(await markOffset(this.#db, 0));
  }

  /** Our own change and the change feed's messages may arrive in any order: the greater revision wins. */
  #take(offset: Offset): void {
    if (offset.revision < this.#offset.revision) return;
    const isMove = offset.offset_ms !== this.#offset.offset_ms;
    this.#offset = offset;
    if (isMove) for (const act of this.#onMove) act();
  }
}

/** Parses 'revision offset' of the last message; null when changes may have been missed. */
function readNews(changes: Changes): Offset | null {
  if (changes === 'everything') return null;
  const [revision, offset_ms] = changes.at(-1)!.split(' ').map(Number);
  return { revision: revision!, offset_ms: offset_ms! };
}

/** The sandbox's clock for a command: the offset is read once. */
export async function readSandboxClock(db: Queryable, base: Clock): Promise<Clock> {
  const { offset_ms } = await findOffset(db);
  return { now: () => new Date(base.now().getTime() + offset_ms) };
}
