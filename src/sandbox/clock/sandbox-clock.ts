import type { Clock } from '#platform/clock.ts';
import { type Db, type Queryable, sql } from '#platform/database/db.ts';
import type { ChangeFeed } from '#platform/nodes/change-feed.ts';
import { type Changes, SyncedCache } from '#platform/nodes/synced-cache.ts';
import type { Log } from '#platform/observability/log.ts';

/**
 * A clock that can be moved: real time plus an offset, which is stored in the database and the same on every node. The messages
 * of the change feed contain the offset, so a node needs no query to apply it.
 */
export class SandboxClock implements Clock {
  readonly #base: Clock;
  readonly #db: Db;
  readonly #cache: SyncedCache;
  readonly #onMove: Array<() => void> = [];
  #offset: ClockOffset = { offset_ms: 0, revision: 0 };

  constructor(deps: { base: Clock; db: Db; changeFeed: ChangeFeed; log: Log }) {
    this.#base = deps.base;
    this.#db = deps.db;
    this.#cache = new SyncedCache({
      changeFeed: deps.changeFeed,
      topic: 'clock',
      apply: async (changes) => this.#apply(parseOffset(changes) ?? (await findOffset(this.#db))),
      onFailure: (error) =>
        deps.log.warn({ err: error }, 'the offset of the sandbox clock could not be read'),
    });
  }

  now(): Date {
    return new Date(this.#base.now().getTime() + this.#offset.offset_ms);
  }

  get realClock(): Clock {
    return this.#base;
  }

  onMove(listener: () => void): void {
    this.#onMove.push(listener);
  }

  get offsetMs(): number {
    return this.#offset.offset_ms;
  }

  whenCurrent(): Promise<void> {
    return this.#cache.waitUntilCurrent();
  }

  async advance(ms: number): Promise<void> {
    this.#apply(await addToOffset(this.#db, ms));
  }

  async moveTo(now: Date): Promise<void> {
    this.#apply(await saveOffset(this.#db, now.getTime() - this.#base.now().getTime()));
  }

  async reset(): Promise<void> {
    this.#apply(await saveOffset(this.#db, 0));
  }

  /** Our own changes and the messages of the change feed may arrive in any order: the greater revision wins. */
  #apply(offset: ClockOffset): void {
    if (offset.revision < this.#offset.revision) return;
    const isMove = offset.offset_ms !== this.#offset.offset_ms;
    this.#offset = offset;
    if (isMove) for (const notify of this.#onMove) notify();
  }
}

/** Parses 'revision offset' of the last message. Null: changes may have been missed. */
function parseOffset(changes: Changes): ClockOffset | null {
  if (changes === 'everything') return null;
  const [revision, offset_ms] = changes.at(-1)!.split(' ').map(Number);
  return { revision: revision!, offset_ms: offset_ms! };
}

export async function readSandboxClock(db: Queryable, base: Clock): Promise<Clock> {
  const { offset_ms } = await findOffset(db);
  return { now: () => new Date(base.now().getTime() + offset_ms) };
}

/** The difference from real time. A greater revision is newer. */
export type ClockOffset = { offset_ms: number; revision: number };

export async function findOffset(db: Queryable): Promise<ClockOffset> {
  const row = await db.row<ClockOffset>(sql`select offset_ms, revision from sandbox_clock`);
  return row ?? { offset_ms: 0, revision: 0 };
}

/** A trigger notifies every node on commit. */
export async function saveOffset(db: Queryable, offsetMs: number): Promise<ClockOffset> {
  const row = await db.row<ClockOffset>(sql`
    insert into sandbox_clock as c (offset_ms, revision) values (${offsetMs}, 1)
    on conflict (only_row) do update set offset_ms = excluded.offset_ms, revision = c.revision + 1
    returning offset_ms, revision`);
  return row!;
}

/** Adds in SQL, so that concurrent moves add up. */
export async function addToOffset(db: Queryable, ms: number): Promise<ClockOffset> {
  const row = await db.row<ClockOffset>(sql`
    insert into sandbox_clock as c (offset_ms, revision) values (${ms}, 1)
    on conflict (only_row) do update set offset_ms = c.offset_ms + excluded.offset_ms, revision = c.revision + 1
    returning offset_ms, revision`);
  return row!;
}
