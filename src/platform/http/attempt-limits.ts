import type { Bilingual } from '#core/values/bilingual.ts';
import {
  findRefusal,
  type Queryable,
  refuseIf,
  runInBatches,
  type Sql,
  sql,
  type Tx,
} from '../database/db.ts';
import { type Detail, Problem, type ProblemFactory, withRetryAfter } from '../problem.ts';

export type AttemptLimit = {
  /** The name of the limit in the table. A transaction locks limits in the order of their names, which prevents deadlocks. */
  kind: string;
  maxAttempts: number;
  windowMs: number;
  /** Once the limit is reached, attempts are refused for a whole window. By default, only until the oldest attempt leaves the window. */
  locksOut?: true;
};

/** A limit and the subject whose attempts it counts. The subject is a keyed hash, so no phone number or IP address is stored. */
export type AttemptCounter = {
  limit: AttemptLimit;
  subject: Buffer;
  /** Keyed hash of the phone number, if the subject is not that hash itself. */
  phoneHash?: Buffer;
  /** The problem to respond with when the limit is reached. `seconds` is the value of Retry-After. */
  toProblem: (seconds: string) => Problem;
};

/** Attaches to a limit the problem that is thrown when it is reached. */
export const attachProblem = (
  limit: AttemptLimit,
  createProblem: ProblemFactory<[Detail]>,
  text: Bilingual,
) => ({
  limit,
  toProblem: (seconds: string) => createProblem(withRetryAfter(seconds, text)),
});

type AttemptCounters = readonly AttemptCounter[];

/** The time that a pending attempt counts: longer than any attempt takes, but short for a caller who is refused because of it. */
const LEASE_MS = 20_000;

/**
 * Counts an attempt for every limit. If any limit is reached, throws and counts nothing. Returns the time from which the next attempt is
 * allowed; null means now. One statement locks the rows while it decides, so limits are exact across nodes. Attempts over a minute in the
 * future were recorded before a clock was set back, and are ignored.
 */
export const enforceLimits = async (
  db: Queryable,
  counters: AttemptCounters,
  now: Date,
): Promise<Date | null> =>
  findLatestReopening(await insertOrRefuseAttempts(db, counters, now, 'counted'))?.reopens_at ?? null;

/** Like `enforceLimits`, but returns the number of attempts of each kind in its window, including this one. */
export async function recordAndCountAttempts(
  tx: Tx,
  counters: AttemptCounters,
  now: Date,
): Promise<Record<string, number>> {
  const rows = await insertOrRefuseAttempts(tx, counters, now, 'counted');
  return Object.fromEntries(rows.map(({ kind, hits }) => [kind, hits]));
}

/**
 * Runs an attempt that counts only if it fails: by `isFailed`, or with a client error (4xx). Meanwhile the attempt is pending: it
 * counts, but never locks out, and expires after `LEASE_MS`. `runAttempt` must release a successful attempt in its transaction
 * (`releasePendingAttempts`).
 */
export async function limitFailures<T>(
  db: Queryable,
  options: { counters: AttemptCounters; now: Date; isFailed: (result: T) => boolean },
  runAttempt: () => Promise<T>,
): Promise<T> {
  const { counters, now, isFailed } = options;
  await insertOrRefuseAttempts(db, counters, now, 'pending');
  try {
    const result = await runAttempt();
    // A failure is counted before the response. If it cannot be counted, the response is a 5xx, which reveals nothing about the result.
    if (isFailed(result)) await saveFailure(db, counters, now);
    return result;
  } catch (error) {
    if (error instanceof Problem && error.kind.status < 500) await saveFailure(db, counters, now);
    else await releasePendingAttempts(db, counters, now).catch(() => undefined);
    throw error;
  }
}

type AttemptState = 'counted' | 'pending';
type RecordedAttempt = { kind: string; reopens_at: Date | null; hits: number };

async function insertOrRefuseAttempts(
  db: Queryable,
  counters: AttemptCounters,
  now: Date,
  state: AttemptState,
): Promise<RecordedAttempt[]> {
  try {
    return await insertAttempts(db, counters, now, state);
  } catch (error) {
    const refusedRows = findRefusal<{ kind: string; reopens_at: string }>(error);
    const refusedRow = findLatestReopening(
      refusedRows?.map(({ kind, reopens_at }) => ({ kind, reopens_at: new Date(reopens_at) })) ?? [],
    );
    if (!refusedRow) throw error;
    const { toProblem } = counters.find(({ limit }) => limit.kind === refusedRow.kind)!;
    throw toProblem(countSecondsUntil(refusedRow.reopens_at, now));
  }
}

/**
 * Inserts or updates one row per limit. `recent_hits` and `recent_pending` are the attempts that are still in their windows. If `is_closed`,
 * the limit refuses this attempt (`granted` is then false). `reopens_at` is set if the limit locks out, refuses, or is reached by this attempt.
 * If any limit refuses, `refuseIf` raises an error, which rolls back all rows.
 */
const insertAttempts = (
  db: Queryable,
  counters: AttemptCounters,
  now: Date,
  state: AttemptState,
): Promise<RecordedAttempt[]> =>
  db.rows<RecordedAttempt>(sql`
    with input as (
      select ${now}::timestamptz as now, interval '1 minute' as clock_skew, ${state === 'pending'}::boolean as is_pending,
             make_interval(secs => ${LEASE_MS / 1000}) as lease_length, limits.*
      from (${toLimitRows(counters)}) as limits),
    recorded_attempts as (
      insert into attempt_windows as stored (kind, subject, about, hits, pending, granted, reopens_at, forget_at)
      select kind, subject, about, case when is_pending then '{}'::timestamptz[] else array[now] end,
             case when is_pending then array[now] else '{}'::timestamptz[] end, true,
             case when max_attempts = 1 and not is_pending then now + window_length end, now + window_length
      from input order by kind
      on conflict (kind, subject) do update set (hits, pending, granted, reopens_at, forget_at) = (
        select case when is_closed or is_pending then recent_hits else recent_hits || now end,
               case when is_closed or not is_pending then recent_pending else recent_pending || now end,
               not is_closed,
               case when is_locked_out then stored.reopens_at
                    when is_closed then least(recent_hits[1] + window_length, recent_pending[1] + lease_length)
                    when not is_pending and cardinality(recent_hits) + 1 >= max_attempts
                      then case when locks_out then now else coalesce(recent_hits[1], now) end + window_length end,
               case when is_closed then stored.forget_at else now + window_length end
        from (
          select recent.*, is_locked_out or cardinality(recent_hits) + cardinality(recent_pending) >= max_attempts as is_closed
          from (
            select input.*,
                   coalesce(stored.reopens_at > now and stored.reopens_at <= now + window_length + clock_skew, false) as is_locked_out,
                   array(select hit from unnest(stored.hits) as hit
                         where hit > now - window_length and hit <= now + clock_skew order by hit) as recent_hits,
                   array(select started_at from unnest(stored.pending) as started_at
                         where started_at > now - lease_length and started_at <= now + clock_skew order by started_at) as recent_pending
            from input where input.kind = stored.kind) as recent) as decision)
      returning kind, granted, reopens_at, cardinality(hits) as hits)
    select kind, reopens_at, hits, ${refuseIf(sql`select kind, reopens_at from recorded_attempts where not granted`)} from recorded_attempts`);

/** Removes the attempt that was recorded at this instant, because it does not count after all. The limit is then no longer reached. */
export async function undoAttempts(tx: Tx, counters: AttemptCounters, recordedAt: Date): Promise<void> {
  await tx.run(sql`
    with located_attempts as (
      select kind, subject, array_position(hits, ${recordedAt}::timestamptz) as attempt_index from attempt_windows
      where (kind, subject) in (select kind, subject from (${toLimitRows(counters)}) as limits)
      order by kind for update)
    update attempt_windows stored set hits = stored.hits[:attempt_index - 1] || stored.hits[attempt_index + 1:], reopens_at = null
    from located_attempts where stored.kind = located_attempts.kind and stored.subject = located_attempts.subject and attempt_index is not null`);
}

/** Removes the pending attempt that was recorded at this instant. */
export async function releasePendingAttempts(
  db: Queryable,
  counters: AttemptCounters,
  recordedAt: Date,
): Promise<void> {
  await db.run(sql`
    with located_attempts as (
      select kind, subject, array_position(pending, ${recordedAt}::timestamptz) as attempt_index from attempt_windows
      where (kind, subject) in (select kind, subject from (${toLimitRows(counters)}) as limits)
      order by kind for update)
    update attempt_windows stored set pending = stored.pending[:attempt_index - 1] || stored.pending[attempt_index + 1:]
    from located_attempts where stored.kind = located_attempts.kind and stored.subject = located_attempts.subject and attempt_index is not null`);
}

/** Turns the pending attempt that was recorded at this instant into a failure. It counts even if its lease has expired meanwhile. */
async function saveFailure(db: Queryable, counters: AttemptCounters, recordedAt: Date): Promise<void> {
  await db.run(sql`
    with input as (select ${recordedAt}::timestamptz as failed_at, limits.* from (${toLimitRows(counters)}) as limits),
    failed_attempts as (
      select input.*, array_position(stored.pending, failed_at) as attempt_index,
             array(select hit from unnest(stored.hits || failed_at) as hit
                   where hit > failed_at - window_length and hit <= failed_at + interval '1 minute' order by hit) as recent_hits
      from attempt_windows stored join input on stored.kind = input.kind and stored.subject = input.subject
      order by stored.kind for update of stored)
    update attempt_windows stored set
      hits = recent_hits,
      pending = case when attempt_index is null then stored.pending
                     else stored.pending[:attempt_index - 1] || stored.pending[attempt_index + 1:] end,
      reopens_at = case when cardinality(recent_hits) >= max_attempts
                        then greatest(stored.reopens_at, case when locks_out then failed_at else recent_hits[1] end + window_length) end,
      forget_at = greatest(stored.forget_at, failed_at + window_length)
    from failed_attempts where stored.kind = failed_attempts.kind and stored.subject = failed_attempts.subject`);
}

/** Renders the counters as SQL rows. The column `about` is `phoneHash`: the hash of a phone number that is not the subject itself. */
function toLimitRows(counters: AttemptCounters): Sql {
  const limits = counters.map(({ limit }) => limit);
  return sql`
    select kind, subject, about, max_attempts, locks_out, make_interval(secs => seconds) as window_length
    from unnest(${limits.map(({ kind }) => kind)}::text[], ${counters.map(({ subject }) => subject)}::bytea[],
                ${counters.map(({ phoneHash }) => phoneHash ?? null)}::bytea[],
                ${limits.map(({ maxAttempts }) => maxAttempts)}::int[], ${limits.map(({ locksOut }) => locksOut === true)}::boolean[],
                ${limits.map(({ windowMs }) => windowMs / 1000)}::float8[])
           as limits (kind, subject, about, max_attempts, locks_out, seconds)`;
}

export async function purgeAttempts(tx: Tx, { limit, subject }: AttemptCounter): Promise<void> {
  await tx.run(sql`delete from attempt_windows where kind = ${limit.kind} and subject = ${subject}`);
}

type PhoneAttempts = { kind: string; count: number; last_at: Date; reopens_at: Date | null };

export async function listAttemptsForPhone(
  db: Queryable,
  phoneHash: Buffer,
  kinds: readonly string[],
): Promise<PhoneAttempts[]> {
  return db.rows(sql`
    select kind, cardinality(hits) as count, coalesce((select max(hit) from unnest(hits) as hit), forget_at) as last_at, reopens_at
    from attempt_windows
    where (subject = ${phoneHash} or about = ${phoneHash}) and kind = any(${kinds}) and cardinality(hits) > 0
    order by last_at desc`);
}

/** Locks rows in the same order as `enforceLimits`, which prevents deadlocks. */
export async function purgeAttemptsForPhone(
  tx: Tx,
  phoneHash: Buffer,
  kinds: readonly string[],
): Promise<void> {
  await tx.run(sql`
    with locked_rows as (
      select kind, subject from attempt_windows
      where (subject = ${phoneHash} or about = ${phoneHash}) and kind = any(${kinds}) order by kind, subject for update)
    delete from attempt_windows stored using locked_rows where stored.kind = locked_rows.kind and stored.subject = locked_rows.subject`);
}

/** Skips locked rows: recording an attempt locks several rows in another order, so waiting could deadlock. */
export async function purgeOldAttempts(db: Queryable, now: Date): Promise<void> {
  await runInBatches(() =>
    db.run(sql`
      delete from attempt_windows stored
      using (select kind, subject from attempt_windows where forget_at < ${now} limit 1000 for update skip locked) as expired
      where stored.kind = expired.kind and stored.subject = expired.subject`),
  );
}

function findLatestReopening<R extends { reopens_at: Date | null }>(rows: R[]): R | undefined {
  const [latestRow] = rows.toSorted(
    (a, b) => (b.reopens_at?.getTime() ?? 0) - (a.reopens_at?.getTime() ?? 0),
  );
  return latestRow;
}

/** Returns the value of a Retry-After header, which is at least one second. `instant` is null if the attempt can be repeated now. */
export function countSecondsUntil(instant: Date | null, now: Date): string {
  return String(Math.max(1, Math.ceil(((instant?.getTime() ?? 0) - now.getTime()) / 1000)));
}
