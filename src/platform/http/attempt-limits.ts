import type { Db, Queryable, Tx } from '../database/db.ts';
import { sql } from '../database/db.ts';
import { purgeInBatches } from '../jobs/housekeeping.ts';
import type { Problem } from '../problem.ts';

export type Limit = {
  /** The limit's name in the table. A transaction takes its limits in this order, which prevents deadlocks. */
  kind: string;
  most: number;
  windowMs: number;
  /** Once reached, it stays closed for a whole window from then; otherwise until the oldest attempt leaves the window. */
  locks?: true;
};

/** What is counted: a limit and a subject. The subject is a keyed hash: no phone or address is stored. */
export type Counted = {
  limit: Limit;
  subject: Buffer;
  /** The problem that is answered when the limit is reached. `seconds` until it reopens, for the header Retry-After. */
  refusal: (seconds: string) => Problem;
};

/**
 * Counts an attempt against every limit. If one is reached it throws, and the rollback counts none. Returns when the next attempt
 * is allowed; null: at once. One statement locks the rows while it decides, so the limits are exact however many nodes count at
 * once. Attempts more than a minute in the future were recorded before the clock was set back, and are ignored; nodes whose
 * clocks differ by less agree.
 */
export async function takeAttempts(tx: Tx, counted: readonly Counted[], now: Date): Promise<Date | null> {
  const limits = counted.map(({ limit }) => limit);
  const rows = await tx.rows<{ kind: string; granted: boolean; reopens_at: Date | null }>(sql`
    with given as (
      select ${now}::timestamptz as now, interval '1 minute' as skew, kind, subject, most, locks,
             make_interval(secs => seconds) as span
      from unnest(${limits.map(({ kind }) => kind)}::text[], ${counted.map(({ subject }) => subject)}::bytea[],
                  ${limits.map(({ most }) => most)}::int[], ${limits.map(({ locks }) => locks === true)}::boolean[],
                  ${limits.map(({ windowMs }) => windowMs / 1000)}::float8[])
             as l (kind, subject, most, locks, seconds))
    insert into attempt_windows as w (kind, subject, hits, granted, reopens_at, forget_at)
    select kind, subject, array[now], true, case when most = 1 then now + span end, now + span
    from given order by kind
    on conflict (kind, subject) do update set (hits, granted, reopens_at, forget_at) = (
      select case when closed then w.hits else hits end,
             not closed,
             case when closed then w.reopens_at
                  when cardinality(hits) >= most then case when locks then now else hits[1] end + span end,
             case when closed then w.forget_at else now + span end
      from (
        select given.*,
               coalesce(w.reopens_at > now and w.reopens_at <= now + span + skew, false) as closed,
               array(select hit from unnest(w.hits) as hit
                     where hit > now - span and hit <= now + skew order by hit) || now as hits
        from given where given.kind = w.kind) as state)
    returning kind, granted, reopens_at`);
  const refused = latest(rows.filter(({ granted }) => !granted));
  if (refused) {
    const { refusal } = counted.find(({ limit }) => limit.kind === refused.kind)!;
    throw refusal(secondsUntil(refused.reopens_at, now));
  }
  return latest(rows)?.reopens_at ?? null;
}

/** The same in a transaction of its own. */
export const countAttempts = (db: Db, counted: readonly Counted[], now: Date): Promise<Date | null> =>
  db.transaction((tx) => takeAttempts(tx, counted, now));

/** Undoes the attempt counted at that instant: it turned out not to count. */
export async function giveBackAttempts(tx: Tx, counted: readonly Counted[], at: Date): Promise<void> {
  await tx.run(sql`
    with taken as (
      select kind, subject, array_position(hits, ${at}::timestamptz) as place from attempt_windows
      where (kind, subject) in (
        select * from unnest(${counted.map(({ limit }) => limit.kind)}::text[],
                             ${counted.map(({ subject }) => subject)}::bytea[]))
      order by kind for update)
    update attempt_windows w set hits = w.hits[:place - 1] || w.hits[place + 1:], reopens_at = null
    from taken where w.kind = taken.kind and w.subject = taken.subject and place is not null`);
}

export async function purgeAttempts(tx: Tx, { limit, subject }: Counted): Promise<void> {
  await tx.run(sql`delete from attempt_windows where kind = ${limit.kind} and subject = ${subject}`);
}

/** Skips locked rows: a transaction that counts an attempt holds several, in another order. */
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
