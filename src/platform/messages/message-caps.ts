import { type Queryable, sql, type Tx } from '../database/db.ts';
import { purgeInBatches } from '../database/purge.ts';
import { findRefusal, refuseIf } from '../database/refusals.ts';
import { secondsUntil } from '../http/attempt-limits.ts';
import type { Problem } from '../problem.ts';

export type MessageCap = {
  /** The name of the cap in the table, in metrics and in logs. */
  readonly name: string;
  readonly maxMessages: number;
  readonly windowMs: number;
  /** A keyed hash of the subject: an API key, a network, a merchant. */
  readonly subject: Buffer;
  /** The name of the subject in logs, if it is not personal data. */
  readonly label?: string;
  readonly toProblem: (seconds: string) => Problem;
};

export type ReportCap = (outcome: 'near' | 'refused', cap: MessageCap, used: number) => void;

/** The operator is warned from this share of a cap. */
const WARNING_SHARE = 0.8;

type Row = { cap: string; began_at: Date; count: number; previous: number };

/**
 * Counts a message against all caps with the commit, which fails if one is exceeded, so the row of the overall cap is locked briefly. The
 * window slides over two counters: the previous one counts in proportion to its part within the period.
 */
export function countMessage(tx: Tx, caps: readonly MessageCap[], now: Date, report: ReportCap): void {
  const findCap = (row: Row) => caps.find(({ name }) => name === row.cap)!;
  tx.beforeCommit(async () => {
    const rows = await incrementCaps(tx, caps, now).catch((error: unknown) => {
      const [refused] = findRefusal<StoredRow>(error) ?? [];
      if (!refused) throw error;
      const row = { ...refused, began_at: new Date(refused.began_at) };
      const cap = findCap(row);
      report('refused', cap, computeUsage(row, cap, now));
      throw cap.toProblem(secondsUntil(computeReopening(row, cap), now));
    });
    for (const row of rows) {
      const cap = findCap(row);
      const used = computeUsage(row, cap, now);
      const warningLevel = cap.maxMessages * WARNING_SHARE;
      if (used >= warningLevel && used - 1 < warningLevel) report('near', cap, used);
    }
  });
}

type StoredRow = Omit<Row, 'began_at'> & { began_at: string };

const incrementCaps = (tx: Tx, caps: readonly MessageCap[], now: Date): Promise<Row[]> =>
  tx.rows<Row>(sql`
    with given as (
      select cap, subject, max_messages, make_interval(secs => seconds) as span
      from unnest(${caps.map(({ name }) => name)}::text[], ${caps.map(({ subject }) => subject)}::bytea[],
                  ${caps.map(({ maxMessages }) => maxMessages)}::float8[],
                  ${caps.map(({ windowMs }) => windowMs / 1000)}::float8[]) as c (cap, subject, max_messages, seconds)),
    counted as (
      insert into message_windows as w (cap, subject, began_at, count, previous, forget_at)
      select cap, subject, date_bin(span, ${now}::timestamptz, 'epoch'), 1, 0, ${now}::timestamptz + 2 * span
      from given order by cap
      on conflict (cap, subject) do update set (began_at, count, previous, forget_at) = (
        select case when age in (0, -1) then w.began_at else excluded.began_at end,
               case when age in (0, -1) then w.count + 1 else 1 end,
               case when age in (0, -1) then w.previous when age = 1 then w.count else 0 end,
               excluded.forget_at
        from (select round(extract(epoch from excluded.began_at - w.began_at)
                           / extract(epoch from (excluded.forget_at - ${now}::timestamptz) / 2)) as age) as ages)
      returning cap, began_at, count, previous),
    usages as (
      select c.*, max_messages,
             count + previous * (1 - least(1, greatest(0, extract(epoch from ${now}::timestamptz - began_at)
                                                          / extract(epoch from span)))) as used
      from counted c join given using (cap))
    select cap, began_at, count, previous,
           ${refuseIf(sql`select cap, began_at, count, previous from usages where used > max_messages`)}
    from usages`);

function computeUsage({ began_at, count, previous }: Row, { windowMs }: MessageCap, now: Date): number {
  const elapsedShare = Math.min(1, Math.max(0, (now.getTime() - began_at.getTime()) / windowMs));
  return count + previous * (1 - elapsedShare);
}

/** When the next message is allowed, if no other message is sent until then. */
function computeReopening({ began_at, count, previous }: Row, { maxMessages, windowMs }: MessageCap): Date {
  const [start, fading, staying] =
    count <= maxMessages
      ? [began_at.getTime(), previous, count]
      : [began_at.getTime() + windowMs, count - 1, 1];
  return new Date(start + Math.ceil(windowMs * Math.max(0, 1 - (maxMessages - staying) / fading)));
}

export async function purgeOldMessageWindows(db: Queryable, now: Date): Promise<void> {
  await purgeInBatches(() =>
    db.run(sql`
      delete from message_windows w
      using (select cap, subject from message_windows where forget_at < ${now} limit 1000 for update skip locked) as old
      where w.cap = old.cap and w.subject = old.subject`),
  );
}
