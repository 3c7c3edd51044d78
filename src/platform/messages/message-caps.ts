import { type Queryable, sql, type Tx } from '../database/db.ts';
import { purgeInBatches } from '../database/purge.ts';
import { secondsUntil } from '../http/attempt-limits.ts';
import type { Problem } from '../problem.ts';

/** How many messages may be sent for one subject in a window of time. */
export type MessageCap = {
  /** Names the cap in the table, in metrics and in the log. */
  readonly name: string;
  readonly most: number;
  readonly windowMs: number;
  /** A keyed hash of what it is counted for: a key, a network, a merchant. */
  readonly subject: Buffer;
  /** The subject's name in the log, if it is not personal data. */
  readonly label?: string;
  readonly refusal: (seconds: string) => Problem;
};

export type CapReport = (outcome: 'near' | 'refused', cap: MessageCap, used: number) => void;

/** From this share of a cap on the operator is warned. */
const NEAR = 0.8;

type Row = { cap: string; began_at: Date; count: number; previous: number };

/**
 * Counts a message against all caps. Throws if one is exceeded, so that the transaction rolls back and nothing is counted. A sliding
 * window by two counters: the previous window counts in proportion to the part of it that is still within the period. Call it last
 * in the transaction: the row of the overall cap, which all messages share, is locked until the commit. A node whose clock is a
 * little behind counts in the window that others have begun.
 */
export async function countMessage(
  tx: Tx,
  caps: readonly MessageCap[],
  now: Date,
  report: CapReport,
): Promise<void> {
  const rows = await tx.rows<Row>(sql`
    insert into message_windows as w (cap, subject, began_at, count, previous, forget_at)
    select cap, subject, date_bin(span, ${now}::timestamptz, 'epoch'), 1, 0, ${now}::timestamptz + 2 * span
    from (select cap, subject, make_interval(secs => seconds) as span
          from unnest(${caps.map(({ name }) => name)}::text[], ${caps.map(({ subject }) => subject)}::bytea[],
                      ${caps.map(({ windowMs }) => windowMs / 1000)}::float8[]) as c (cap, subject, seconds)) as given
    order by cap
    on conflict (cap, subject) do update set (began_at, count, previous, forget_at) = (
      select case when age in (0, -1) then w.began_at else excluded.began_at end,
             case when age in (0, -1) then w.count + 1 else 1 end,
             case when age in (0, -1) then w.previous when age = 1 then w.count else 0 end,
             excluded.forget_at
      from (select round(extract(epoch from excluded.began_at - w.began_at)
                         / extract(epoch from (excluded.forget_at - ${now}::timestamptz) / 2)) as age) as ages)
    returning cap, began_at, count, previous`);
  for (const row of rows) {
    const cap = caps.find(({ name }) => name === row.cap)!;
    const used = usedOf(row, cap, now);
    if (used > cap.most) {
      report('refused', cap, used);
      throw cap.refusal(secondsUntil(reopensAt(row, cap), now));
    }
    const near = cap.most * NEAR;
    if (used >= near && used - 1 < near) tx.afterCommit(() => report('near', cap, used));
  }
}

function usedOf({ began_at, count, previous }: Row, { windowMs }: MessageCap, now: Date): number {
  const passed = Math.min(1, Math.max(0, (now.getTime() - began_at.getTime()) / windowMs));
  return count + previous * (1 - passed);
}

/** When the next message fits, if no other is sent meanwhile. */
function reopensAt({ began_at, count, previous }: Row, { most, windowMs }: MessageCap): Date {
  const [start, fading, staying] =
    count <= most ? [began_at.getTime(), previous, count] : [began_at.getTime() + windowMs, count - 1, 1];
  return new Date(start + Math.ceil(windowMs * Math.max(0, 1 - (most - staying) / fading)));
}

export async function purgeOldMessageWindows(db: Queryable, now: Date): Promise<void> {
  await purgeInBatches(() =>
    db.run(sql`
      delete from message_windows w
      using (select cap, subject from message_windows where forget_at < ${now} limit 1000 for update skip locked) as old
      where w.cap = old.cap and w.subject = old.subject`),
  );
}
