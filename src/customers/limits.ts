import { type Queryable, sql } from '#platform/db.ts';
import { purgeInBatches } from '#platform/housekeeping.ts';

const MINUTE_MS = 60_000;

export type Limit = {
  kind: string;
  most: number;
  windowMs: number;
  /** Once reached, it stays closed for a whole window from then; otherwise until the oldest attempt leaves the window. */
  locks: boolean;
};

const limit = (kind: string, most: number, windowMs: number, locks = false): Limit => ({
  kind,
  most,
  windowMs,
  locks,
});

export const CHECKS_OF_A_PHONE = limit('phone_check', 10, MINUTE_MS);
export const CHECKS_FROM_AN_ADDRESS = limit('phone_check_address', 30, MINUTE_MS);
export const WRONG_PASSWORDS = limit('login', 5, 15 * MINUTE_MS, true);
export const CODES_A_MINUTE = limit('code_minute', 1, MINUTE_MS);
export const CODES_AN_HOUR = limit('code_hour', 5, 60 * MINUTE_MS);

export type Outcome = {
  granted: boolean;
  /** When the next attempt will be let through; null: at once. */
  reopensAt: Date | null;
};

/**
 * Counts an attempt, if it may be made. One statement that holds the row while it decides, so that the limit is exact
 * however many nodes try at the same instant. Attempts that are refused do not count.
 *
 * What lies more than a minute in the future was written before the clock was set back, and is not believed; nodes whose
 * clocks differ by less than that agree.
 */
export async function takeAttempt(
  db: Queryable,
  { kind, most, windowMs, locks }: Limit,
  subject: Buffer,
  now: Date,
): Promise<Outcome> {
  const row = await db.row<{ granted: boolean; reopens_at: Date | null }>(sql`
    with given as (
      select ${now}::timestamptz as now, ${most}::int as most, ${locks}::boolean as locks,
             make_interval(secs => ${windowMs / 1000}::float8) as span, interval '1 minute' as skew)
    insert into attempt_windows as w (kind, subject, hits, granted, reopens_at, forget_at)
    select ${kind}, ${subject}, array[now], true, case when most = 1 then now + span end, now + span from given
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
        from given) as state)
    returning granted, reopens_at`);
  return { granted: row!.granted, reopensAt: row!.reopens_at };
}

/** A success makes the failures before it forgotten. */
export async function purgeAttempts(db: Queryable, { kind }: Limit, subject: Buffer): Promise<void> {
  await db.run(sql`delete from attempt_windows where kind = ${kind} and subject = ${subject}`);
}

export async function purgeOldAttempts(db: Queryable, now: Date): Promise<void> {
  await purgeInBatches(() =>
    db.run(sql`
      delete from attempt_windows w
      using (select kind, subject from attempt_windows where forget_at < ${now} limit 1000) as old
      where w.kind = old.kind and w.subject = old.subject and w.forget_at < ${now}`),
  );
}

/** For the header Retry-After. */
export function secondsUntil(instant: Date | null, now: Date): string {
  return String(Math.max(1, Math.ceil(((instant?.getTime() ?? 0) - now.getTime()) / 1000)));
}
