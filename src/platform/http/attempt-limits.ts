import type { Bilingual } from '#core/bilingual.ts';
import { type Db, type Queryable, type Sql, sql, type Tx } from '../database/db.ts';
import { purgeInBatches } from '../database/purge.ts';
import { type Detail, Problem, type ProblemMaker, retryIn } from '../problem.ts';

export type Limit = {
  /** The limit's name in the table. A transaction takes its limits in this order, which prevents deadlocks. */
  kind: string;
  most: number;
  windowMs: number;
  /** Once reached, it stays closed for a whole window from then; otherwise until the oldest attempt leaves the window. */
  locks?: true;
};

/** What is counted: a limit and a subject. The subject is a keyed hash: no phone or address is stored. */
export type Counter = {
  limit: Limit;
  subject: Buffer;
  /** Keyed hash of the phone it is about, where the subject is not that itself. */
  about?: Buffer;
  /** What is answered when the limit is reached; `seconds` until it reopens, for the header Retry-After. */
  refusal: (seconds: string) => Problem;
};

/** A limit, and what is answered when it is reached. */
export const limited = (limit: Limit, make: ProblemMaker<[Detail]>, text: Bilingual) => ({
  limit,
  refusal: (seconds: string) => make(retryIn(seconds, text)),
});

/** How long a pending attempt counts: longer than any attempt takes, and short for a caller who was refused because of it. */
const LEASE_MS = 20_000;

/**
 * Counts an attempt against every limit. If one is reached it throws, and the rollback counts none. Returns when the next attempt
 * is allowed; null: at once. One statement locks the rows while it decides, so the limits are exact however many nodes count at
 * once. Attempts more than a minute in the future were recorded before the clock was set back, and are ignored; nodes whose
 * clocks differ by less agree.
 */
export const takeAttempts = async (tx: Tx, counted: readonly Counter[], now: Date): Promise<Date | null> =>
  latest(await take(tx, counted, now, false))?.reopens_at ?? null;

/** The same; returns how many of each kind there are in its window, with this one. */
export async function takeAndCount(
  tx: Tx,
  counted: readonly Counter[],
  now: Date,
): Promise<Record<string, number>> {
  const rows = await take(tx, counted, now, false);
  return Object.fromEntries(rows.map(({ kind, hits }) => [kind, hits]));
}

/** The same where there is no transaction yet. */
export const countAttempts = (db: Db, counted: readonly Counter[], now: Date): Promise<Date | null> =>
  db.transaction((tx) => takeAttempts(tx, counted, now));

/**
 * Does work that counts only if it fails: by a result that `isFailed`, or by a problem of the caller's (4xx). Until then it is pending
 * and counts like a failure, so that concurrent requests get no extra attempts. It does not lock anybody out yet. A 5xx releases it; if
 * that fails, or the process dies, it lapses after `LEASE_MS`. Work that succeeds releases its attempt itself (`releaseAttempts`), in the
 * transaction of its success.
 */
export async function countFailures<T>(
  db: Db,
  { counted, now, isFailed }: { counted: readonly Counter[]; now: Date; isFailed: (result: T) => boolean },
  work: () => Promise<T>,
): Promise<T> {
  await db.transaction((tx) => take(tx, counted, now, true));
  try {
    const result = await work();
    // Before the answer: a failure that cannot be counted becomes a 5xx, which reveals nothing.
    if (isFailed(result)) await markFailed(db, counted, now);
    return result;
  } catch (error) {
    if (error instanceof Problem && error.kind.status < 500) await markFailed(db, counted, now);
    else await releaseAttempts(db, counted, now).catch(() => undefined);
    throw error;
  }
}

type Row = { kind: string; granted: boolean; reopens_at: Date | null; hits: number };

async function take(tx: Tx, counted: readonly Counter[], now: Date, isPending: boolean): Promise<Row[]> {
  const rows = await tx.rows<Row>(sql`
    with given as (
      select ${now}::timestamptz as now, interval '1 minute' as skew, ${isPending}::boolean as is_pending,
             make_interval(secs => ${LEASE_MS / 1000}) as lease, l.*
      from (${limitsOf(counted)}) as l)
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
    returning kind, granted, reopens_at, cardinality(hits) as hits`);
  const refused = latest(rows.filter(({ granted }) => !granted));
  if (refused) {
    const { refusal } = counted.find(({ limit }) => limit.kind === refused.kind)!;
    throw refusal(secondsUntil(refused.reopens_at, now));
  }
  return rows;
}

/** Takes back the attempt of that instant: it turned out not to count. */
export async function giveBackAttempts(tx: Tx, counted: readonly Counter[], at: Date): Promise<void> {
  await tx.run(sql`
    with taken as (
      select kind, subject, array_position(hits, ${at}::timestamptz) as place from attempt_windows
      where (kind, subject) in (select kind, subject from (${limitsOf(counted)}) as l)
      order by kind for update)
    update attempt_windows w set hits = w.hits[:place - 1] || w.hits[place + 1:], reopens_at = null
    from taken where w.kind = taken.kind and w.subject = taken.subject and place is not null`);
}

/** Takes back the pending attempt of that instant: it does not count. */
export async function releaseAttempts(db: Queryable, counted: readonly Counter[], at: Date): Promise<void> {
  await db.run(sql`
    with taken as (
      select kind, subject, array_position(pending, ${at}::timestamptz) as place from attempt_windows
      where (kind, subject) in (select kind, subject from (${limitsOf(counted)}) as l)
      order by kind for update)
    update attempt_windows w set pending = w.pending[:place - 1] || w.pending[place + 1:]
    from taken where w.kind = taken.kind and w.subject = taken.subject and place is not null`);
}

/** The pending attempt of that instant failed. It counts even if its lease has lapsed meanwhile. */
async function markFailed(db: Queryable, counted: readonly Counter[], at: Date): Promise<void> {
  await db.run(sql`
    with given as (select ${at}::timestamptz as at, l.* from (${limitsOf(counted)}) as l),
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

/** The limits as rows: kind, subject, about, most, locks, span. */
function limitsOf(counted: readonly Counter[]): Sql {
  const limits = counted.map(({ limit }) => limit);
  return sql`
    select kind, subject, about, most, locks, make_interval(secs => seconds) as span
    from unnest(${limits.map(({ kind }) => kind)}::text[], ${counted.map(({ subject }) => subject)}::bytea[],
                ${counted.map(({ about }) => about ?? null)}::bytea[],
                ${limits.map(({ most }) => most)}::int[], ${limits.map(({ locks }) => locks === true)}::boolean[],
                ${limits.map(({ windowMs }) => windowMs / 1000)}::float8[])
           as l (kind, subject, about, most, locks, seconds)`;
}

export async function purgeAttempts(tx: Tx, { limit, subject }: Counter): Promise<void> {
  await tx.run(sql`delete from attempt_windows where kind = ${limit.kind} and subject = ${subject}`);
}

type AttemptsAbout = { kind: string; count: number; last_at: Date; reopens_at: Date | null };

/** What was counted about a phone, newest first, of these kinds. */
export async function listAttemptsAbout(
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

/** In the order in which they are counted, which prevents deadlocks. */
export async function purgeAttemptsAbout(tx: Tx, phone: Buffer, kinds: readonly string[]): Promise<void> {
  await tx.run(sql`
    with held as (
      select kind, subject from attempt_windows
      where (subject = ${phone} or about = ${phone}) and kind = any(${kinds}) order by kind, subject for update)
    delete from attempt_windows w using held where w.kind = held.kind and w.subject = held.subject`);
}

/** Skips locked rows: counting an attempt locks several rows in another order, so waiting could deadlock. */
export async function purgeOldAttempts(db: Queryable, now: Date): Promise<void> {
  await purgeInBatches(() =>
    db.run(sql`
      delete from attempt_windows w
      using (select kind, subject from attempt_windows where forget_at < ${now} limit 1000 for update skip locked) as old
      where w.kind = old.kind and w.subject = old.subject`),
  );
}

function latest<R extends { reopens_at: Date | null }>(rows: R[]): R | undefined {
  return rows.toSorted((a, b) => (b.reopens_at?.getTime() ?? 0) - (a.reopens_at?.getTime() ?? 0))[0];
}

/** For the header Retry-After. */
export function secondsUntil(instant: Date | null, now: Date): string {
  return String(Math.max(1, Math.ceil(((instant?.getTime() ?? 0) - now.getTime()) / 1000)));
}
