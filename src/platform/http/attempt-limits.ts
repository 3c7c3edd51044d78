import type { Bilingual } from '#core/values/bilingual.ts';
import { purgeInBatches, type Queryable, type Sql, sql, type Tx } from '../database/db.ts';
import { findRefusal, refuseIf } from '../database/refusals.ts';
import { type Detail, Problem, type ProblemMaker, withRetryAfter } from '../problem.ts';

export type AttemptLimit = {
  /** The name of the limit in the table. A transaction locks limits in the order of their names, which prevents deadlocks. */
  kind: string;
  maxAttempts: number;
  windowMs: number;
  /** Once the limit is reached, attempts are refused for a whole window. By default, only until the oldest attempt leaves the window. */
  locksOut?: true;
};

/** A limit and the subject it counts attempts for. The subject is a keyed hash, so no phone number or IP address is stored. */
export type AttemptCounter = {
  limit: AttemptLimit;
  subject: Buffer;
  /** Keyed hash of the phone number, if the subject is not that hash itself. */
  phoneHash?: Buffer;
  /** The problem to respond with when the limit is reached. `seconds` is the value of Retry-After. */
  toProblem: (seconds: string) => Problem;
};

export const limitWithProblem = (
  limit: AttemptLimit,
  createProblem: ProblemMaker<[Detail]>,
  text: Bilingual,
) => ({
  limit,
  toProblem: (seconds: string) => createProblem(withRetryAfter(seconds, text)),
});

type AttemptCounters = readonly AttemptCounter[];

/** How long a pending attempt counts: longer than any attempt takes, but short for a caller who is refused because of it. */
const LEASE_MS = 20_000;

/**
 * Counts an attempt against every limit. Throws if one is reached, and counts none. Returns when the next attempt is allowed, or null. One
 * statement locks the rows while it decides, so limits are exact across nodes. Attempts over a minute in the future were recorded before a
 * clock was set back, and are ignored.
 */
export const recordAttempts = async (
  db: Queryable,
  counters: AttemptCounters,
  now: Date,
): Promise<Date | null> => findLatest(await takeAttempts(db, counters, now, 'counted'))?.reopens_at ?? null;

/** Like `recordAttempts`, but returns the number of attempts of each kind in its window, including this one. */
export async function recordAndCountAttempts(
  tx: Tx,
  counters: AttemptCounters,
  now: Date,
): Promise<Record<string, number>> {
  const rows = await takeAttempts(tx, counters, now, 'counted');
  return Object.fromEntries(rows.map(({ kind, hits }) => [kind, hits]));
}

/**
 * Runs work that counts as an attempt only if it fails: by `isFailed`, or with a client error (4xx). Meanwhile the attempt is pending: it
 * counts, but never locks out, and expires after `LEASE_MS`. Work that succeeds releases it in its own transaction
 * (`releasePendingAttempts`).
 */
export async function limitFailures<T>(
  db: Queryable,
  options: { counters: AttemptCounters; now: Date; isFailed: (result: T) => boolean },
  work: () => Promise<T>,
): Promise<T> {
  const { counters, now, isFailed } = options;
  await takeAttempts(db, counters, now, 'pending');
  try {
    const result = await work();
    // Counted before the response: a failure that cannot be counted becomes a 5xx, which reveals nothing about the result.
    if (isFailed(result)) await markFailed(db, counters, now);
    return result;
  } catch (error) {
    if (error instanceof Problem && error.kind.status < 500) await markFailed(db, counters, now);
    else await releasePendingAttempts(db, counters, now).catch(() => undefined);
    throw error;
  }
}

type AttemptState = 'counted' | 'pending';
type Row = { kind: string; reopens_at: Date | null; hits: number };

async function takeAttempts(
  db: Queryable,
  counters: AttemptCounters,
  now: Date,
  state: AttemptState,
): Promise<Row[]> {
  try {
    return await insertAttempts(db, counters, now, state);
  } catch (error) {
    const refusedRows = findRefusal<{ kind: string; reopens_at: string }>(error);
    const refusedRow = findLatest(
      refusedRows?.map(({ kind, reopens_at }) => ({ kind, reopens_at: new Date(reopens_at) })) ?? [],
    );
    if (!refusedRow) throw error;
    const { toProblem } = counters.find(({ limit }) => limit.kind === refusedRow.kind)!;
    throw toProblem(secondsUntil(refusedRow.reopens_at, now));
  }
}

const insertAttempts = (
  db: Queryable,
  counters: AttemptCounters,
  now: Date,
  state: AttemptState,
): Promise<Row[]> =>
  db.rows<Row>(sql`
    with given as (
      select ${now}::timestamptz as now, interval '1 minute' as skew, ${state === 'pending'}::boolean as is_pending,
             make_interval(secs => ${LEASE_MS / 1000}) as lease, l.*
      from (${toLimitRows(counters)}) as l),
    taken as (
      insert into attempt_windows as w (kind, subject, about, hits, pending, granted, reopens_at, forget_at)
      select kind, subject, about, case when is_pending then '{}'::timestamptz[] else array[now] end,
             case when is_pending then array[now] else '{}'::timestamptz[] end, true,
             case when most = 1 and not is_pending then now + span end, now + span
      from given order by kind
      on conflict (kind, subject) do update set (hits, pending, granted, reopens_at, forget_at) = (
        select case when closed or is_pending then hits else hits || now end,
               case when closed or not is_pending then pending else pending || now end,
               not closed,
               case when locked then w.reopens_at
                    when closed then least(hits[1] + span, pending[1] + lease)
                    when not is_pending and cardinality(hits) + 1 >= most
                      then case when locks then now else coalesce(hits[1], now) end + span end,
               case when closed then w.forget_at else now + span end
        from (
          select live.*, locked or cardinality(hits) + cardinality(pending) >= most as closed
          from (
            select given.*,
                   coalesce(w.reopens_at > now and w.reopens_at <= now + span + skew, false) as locked,
                   array(select hit from unnest(w.hits) as hit
                         where hit > now - span and hit <= now + skew order by hit) as hits,
                   array(select begun from unnest(w.pending) as begun
                         where begun > now - lease and begun <= now + skew order by begun) as pending
            from given where given.kind = w.kind) as live) as state)
      returning kind, granted, reopens_at, cardinality(hits) as hits)
    select kind, reopens_at, hits, ${refuseIf(sql`select kind, reopens_at from taken where not granted`)} from taken`);

/** Removes the attempt recorded at that instant, which turned out not to count. */
export async function undoAttempts(tx: Tx, counters: AttemptCounters, at: Date): Promise<void> {
  await tx.run(sql`
    with taken as (
      select kind, subject, array_position(hits, ${at}::timestamptz) as place from attempt_windows
      where (kind, subject) in (select kind, subject from (${toLimitRows(counters)}) as l)
      order by kind for update)
    update attempt_windows w set hits = w.hits[:place - 1] || w.hits[place + 1:], reopens_at = null
    from taken where w.kind = taken.kind and w.subject = taken.subject and place is not null`);
}

/** Removes the pending attempt recorded at that instant. */
export async function releasePendingAttempts(
  db: Queryable,
  counters: AttemptCounters,
  at: Date,
): Promise<void> {
  await db.run(sql`
    with taken as (
      select kind, subject, array_position(pending, ${at}::timestamptz) as place from attempt_windows
      where (kind, subject) in (select kind, subject from (${toLimitRows(counters)}) as l)
      order by kind for update)
    update attempt_windows w set pending = w.pending[:place - 1] || w.pending[place + 1:]
    from taken where w.kind = taken.kind and w.subject = taken.subject and place is not null`);
}

/** Turns the pending attempt recorded at that instant into a failure. It counts even if its lease has expired meanwhile. */
async function markFailed(db: Queryable, counters: AttemptCounters, at: Date): Promise<void> {
  await db.run(sql`
    with given as (select ${at}::timestamptz as at, l.* from (${toLimitRows(counters)}) as l),
    failed as (
      select given.*, array_position(w.pending, at) as place,
             array(select hit from unnest(w.hits || at) as hit
                   where hit > at - span and hit <= at + interval '1 minute' order by hit) as live
      from attempt_windows w join given on w.kind = given.kind and w.subject = given.subject
      order by w.kind for update of w)
    update attempt_windows w set
      hits = live,
      pending = case when place is null then w.pending else w.pending[:place - 1] || w.pending[place + 1:] end,
      reopens_at = case when cardinality(live) >= most
                        then greatest(w.reopens_at, case when locks then at else live[1] end + span) end,
      forget_at = greatest(w.forget_at, at + span)
    from failed where w.kind = failed.kind and w.subject = failed.subject`);
}

/** The limits as SQL rows with the columns kind, subject, about, most, locks, span. */
function toLimitRows(counters: AttemptCounters): Sql {
  const limits = counters.map(({ limit }) => limit);
  return sql`
    select kind, subject, about, most, locks, make_interval(secs => seconds) as span
    from unnest(${limits.map(({ kind }) => kind)}::text[], ${counters.map(({ subject }) => subject)}::bytea[],
                ${counters.map(({ phoneHash: about }) => about ?? null)}::bytea[],
                ${limits.map(({ maxAttempts: most }) => most)}::int[], ${limits.map(({ locksOut: locks }) => locks === true)}::boolean[],
                ${limits.map(({ windowMs }) => windowMs / 1000)}::float8[])
           as l (kind, subject, about, most, locks, seconds)`;
}

export async function purgeAttempts(tx: Tx, { limit, subject }: AttemptCounter): Promise<void> {
  await tx.run(sql`delete from attempt_windows where kind = ${limit.kind} and subject = ${subject}`);
}

type AttemptsAbout = { kind: string; count: number; last_at: Date; reopens_at: Date | null };

export async function listAttemptsForPhone(
  db: Queryable,
  phone: Buffer,
  kinds: readonly string[],
): Promise<AttemptsAbout[]> {
  return db.rows(sql`
    select kind, cardinality(hits) as count, coalesce((select max(hit) from unnest(hits) as hit), forget_at) as last_at, reopens_at
    from attempt_windows
    where (subject = ${phone} or about = ${phone}) and kind = any(${kinds}) and cardinality(hits) > 0
    order by last_at desc`);
}

/** Locks rows in the same order as `recordAttempts`, which prevents deadlocks. */
export async function purgeAttemptsForPhone(tx: Tx, phone: Buffer, kinds: readonly string[]): Promise<void> {
  await tx.run(sql`
    with held as (
      select kind, subject from attempt_windows
      where (subject = ${phone} or about = ${phone}) and kind = any(${kinds}) order by kind, subject for update)
    delete from attempt_windows w using held where w.kind = held.kind and w.subject = held.subject`);
}

/** Skips locked rows: recording an attempt locks several rows in another order, so waiting could deadlock. */
export async function purgeOldAttempts(db: Queryable, now: Date): Promise<void> {
  await purgeInBatches(() =>
    db.run(sql`
      delete from attempt_windows w
      using (select kind, subject from attempt_windows where forget_at < ${now} limit 1000 for update skip locked) as old
      where w.kind = old.kind and w.subject = old.subject`),
  );
}

function findLatest<R extends { reopens_at: Date | null }>(rows: R[]): R | undefined {
  return rows.toSorted((a, b) => (b.reopens_at?.getTime() ?? 0) - (a.reopens_at?.getTime() ?? 0))[0];
}

export function secondsUntil(instant: Date | null, now: Date): string {
  return String(Math.max(1, Math.ceil(((instant?.getTime() ?? 0) - now.getTime()) / 1000)));
}
