import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#core/values/duration.ts';
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
  readonly #realClock: Clock;
  readonly #db: Db;
  readonly #cache: SyncedCache;
  readonly #moveListeners: Array<() => void> = [];
  #offset: ClockOffset = { offset_ms: 0, revision: 0 };

  constructor(deps: { realClock: Clock; db: Db; changeFeed: ChangeFeed; log: Log }) {
    this.#realClock = deps.realClock;
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
    return new Date(this.#realClock.now().getTime() + this.#offset.offset_ms);
  }

  get realClock(): Clock {
    return this.#realClock;
  }

  onManualMove(listener: () => void): void {
    this.#moveListeners.push(listener);
  }

  get offsetMs(): number {
    return this.#offset.offset_ms;
  }

  waitUntilCurrent(): Promise<void> {
    return this.#cache.waitUntilCurrent();
  }

  async advance(ms: number): Promise<void> {
    this.#apply(await addToOffset(this.#db, ms));
  }

  async moveTo(now: Date): Promise<void> {
    this.#apply(await saveOffset(this.#db, now.getTime() - this.#realClock.now().getTime()));
  }

  async reset(): Promise<void> {
    this.#apply(await saveOffset(this.#db, 0));
  }

  /** Changes made by this node and messages of the change feed may arrive in any order: the greater revision wins. */
  #apply(offset: ClockOffset): void {
    if (offset.revision < this.#offset.revision) return;
    const isMoved = offset.offset_ms !== this.#offset.offset_ms;
    this.#offset = offset;
    if (isMoved) for (const listener of this.#moveListeners) listener();
  }
}

/** Parses 'revision offset' of the last message. Returns null if changes may have been missed. */
function parseOffset(changes: Changes): ClockOffset | null {
  if (changes === 'everything') return null;
  const [revision, offset_ms] = changes.at(-1)!.split(' ').map(Number);
  return { revision: revision!, offset_ms: offset_ms! };
}

export async function readSandboxClock(db: Queryable, realClock: Clock): Promise<Clock> {
  const { offset_ms } = await findOffset(db);
  return { now: () => new Date(realClock.now().getTime() + offset_ms) };
}

/** The difference from real time. A greater revision is newer. */
type ClockOffset = { offset_ms: number; revision: number };

async function findOffset(db: Queryable): Promise<ClockOffset> {
  const row = await db.row<ClockOffset>(sql`select offset_ms, revision from sandbox_clock`);
  return row ?? { offset_ms: 0, revision: 0 };
}

/** Saves the offset. A trigger notifies every node on commit. */
export async function saveOffset(db: Queryable, offsetMs: number): Promise<ClockOffset> {
  const row = await db.row<ClockOffset>(sql`
    insert into sandbox_clock as existing (offset_ms, revision) values (${offsetMs}, 1)
    on conflict (only_row) do update set offset_ms = excluded.offset_ms, revision = existing.revision + 1
    returning offset_ms, revision`);
  return row!;
}

/** Adds to the offset in SQL, so that no concurrent move is lost. */
async function addToOffset(db: Queryable, ms: number): Promise<ClockOffset> {
  const row = await db.row<ClockOffset>(sql`
    insert into sandbox_clock as existing (offset_ms, revision) values (${ms}, 1)
    on conflict (only_row) do update set offset_ms = existing.offset_ms + excluded.offset_ms, revision = existing.revision + 1
    returning offset_ms, revision`);
  return row!;
}

/** After this time the clock jumps to its target without further stops, so that the caller does not wait longer. */
const STEPWISE_MOVE_TIMEOUT_MS = 25_000;

export type MoveClock = (move: { ms: number } | { to: Date }) => Promise<void>;

/**
 * Moves the clock, and stops on the way whenever autopay has work: debits are requested days before their due day, attempted at
 * fixed hours, and retried days later. A single jump would skip these steps. Without such work the clock moves in one step.
 */
export const createClockMover =
  (deps: {
    clock: SandboxClock;
    autopaySchedule: { findNextMoment(now: Date): Promise<Date | null>; runDue(): Promise<void> };
    /** Lets the simulated bank of the payer make the debits that are due. */
    attemptDebits(): Promise<void>;
    log: Log;
  }): MoveClock =>
  async (move) => {
    const { clock, autopaySchedule, attemptDebits, log } = deps;
    const runDueWork = async () => {
      await attemptDebits();
      await autopaySchedule.runDue();
    };
    let remainingMs = 'ms' in move ? move.ms : move.to.getTime() - clock.now().getTime();
    const advance = async (ms: number) => {
      remainingMs -= ms;
      await clock.advance(ms);
    };
    const moveToTarget = () => ('ms' in move ? advance(remainingMs) : clock.moveTo(move.to));
    const deadlineMs = performance.now() + STEPWISE_MOVE_TIMEOUT_MS;
    try {
      // Work that is due already determines when the next work is due.
      await runDueWork();
      for (;;) {
        const now = clock.now();
        const nextWorkAt = await autopaySchedule.findNextMoment(now);
        if (!nextWorkAt || performance.now() > deadlineMs) break;
        const stepMs = nextWorkAt.getTime() - now.getTime();
        if (stepMs >= remainingMs) break;
        await advance(stepMs);
        await runDueWork();
      }
      await moveToTarget();
      await runDueWork();
    } catch (error) {
      // The simulator may be set to fail. Jobs repeat the failed work later.
      log.warn({ err: error }, 'debits are postponed');
      await moveToTarget();
    }
  };

const UNIT_MS = { W: 7 * DAY_MS, D: DAY_MS, H: HOUR_MS, M: MINUTE_MS, S: SECOND_MS };

const DURATION_PATTERN =
  /^(-?)P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$/;

/**
 * Parses an ISO 8601 duration (P7D, PT12H, P1W, P1DT6H, -P3D) to milliseconds. Returns null if it is invalid. Months and years are
 * refused: their length varies.
 */
export function parseDuration(text: string): number | null {
  const match = DURATION_PATTERN.exec(text);
  if (!match || /[PT]$/.test(text)) return null;
  const [, sign, weeks, days, hours, minutes, seconds] = match;
  const ms =
    Number(weeks ?? 0) * UNIT_MS.W +
    Number(days ?? 0) * UNIT_MS.D +
    Number(hours ?? 0) * UNIT_MS.H +
    Number(minutes ?? 0) * UNIT_MS.M +
    Number(seconds ?? 0) * UNIT_MS.S;
  return sign === '-' ? -ms : ms;
}
