import { findRefusal, type Queryable, refuseIf, runInBatches, sql, type Tx } from '../database/db.ts';
import { countSecondsUntil } from '../http/attempt-limits.ts';
import type { Problem } from '../problem.ts';

/** The maximum number of messages for one subject within a time window. */
export type MessageCap = {
  readonly name: string;
  readonly maxMessages: number;
  readonly windowMs: number;
  /** A keyed hash of the subject: an API key, a network, a merchant. */
  readonly subject: Buffer;
  /** The name of the subject in logs, if it is not personal data. */
  readonly label?: string;
  readonly toProblem: (retryAfterSeconds: string) => Problem;
};

/** The outcome is `near` if the usage has reached `WARNING_SHARE` of the cap. */
export type ReportCap = (outcome: 'near' | 'refused', cap: MessageCap, usage: number) => void;

/** The operator is warned when this share of a cap is used. */
const WARNING_SHARE = 0.8;

/** The messages of the current window, which began at `began_at`, and of the window before it. */
type WindowRow = { cap: string; subject: string; began_at: Date; count: number; previous: number };
type RefusedWindowRow = Omit<WindowRow, 'began_at'> & { began_at: string };

/** A cap and the number of messages of a transaction that count against it. */
type CapIncrement = { readonly cap: MessageCap; messages: number };

const incrementsByTx = new WeakMap<Tx, Map<string, CapIncrement>>();

const toRowKey = (cap: string, subject: string) => `${cap} ${subject}`;

/**
 * Counts a message for all caps, at the commit of its transaction. The transaction throws if a cap is exceeded; the rollback then
 * counts nothing. Every message updates the row of the installation's cap. To lock this row only during the commit, all messages of a
 * transaction are counted together, with the `now` and `report` of the first. Two counters form a sliding window: the count of the previous
 * window is weighted by the share of it that the sliding window still covers.
 */
export function countMessage(tx: Tx, caps: readonly MessageCap[], now: Date, report: ReportCap): void {
  const increments = incrementsByTx.get(tx) ?? new Map<string, CapIncrement>();
  if (!incrementsByTx.has(tx)) {
    incrementsByTx.set(tx, increments);
    tx.beforeCommit(() => incrementCounters(tx, increments, now, report));
  }
  for (const cap of caps) {
    const rowKey = toRowKey(cap.name, cap.subject.toString('hex'));
    const increment = increments.get(rowKey);
    if (increment) increment.messages += 1;
    else increments.set(rowKey, { cap, messages: 1 });
  }
}

async function incrementCounters(
  tx: Tx,
  increments: ReadonlyMap<string, CapIncrement>,
  now: Date,
  report: ReportCap,
): Promise<void> {
  const findIncrement = ({ cap, subject }: WindowRow) => increments.get(toRowKey(cap, subject))!;
  const windowRows = await addToWindows(tx, [...increments.values()], now).catch((error: unknown) => {
    const [refusedRow] = findRefusal<RefusedWindowRow>(error) ?? [];
    if (!refusedRow) throw error;
    const refusedWindow = { ...refusedRow, began_at: new Date(refusedRow.began_at) };
    const { cap } = findIncrement(refusedWindow);
    report('refused', cap, computeUsage(refusedWindow, cap, now));
    throw cap.toProblem(countSecondsUntil(computeNextAllowedAt(refusedWindow, cap), now));
  });
  for (const row of windowRows) {
    const { cap, messages } = findIncrement(row);
    const usage = computeUsage(row, cap, now);
    const warningLevel = cap.maxMessages * WARNING_SHARE;
    if (usage >= warningLevel && usage - messages < warningLevel) report('near', cap, usage);
  }
}

/**
 * Adds to the stored windows. `age` is the number of windows between the stored window and the window of `now`:
 * - 0: the stored count grows. Also -1: the clock of this node is behind, and another node has started the next window.
 * - 1: the stored count becomes the count of the previous window.
 * - 2 or more: the stored counts have expired.
 *
 * `forget_at` is two windows after `now`, so half of the difference is the length of a window.
 */
const addToWindows = (tx: Tx, increments: readonly CapIncrement[], now: Date): Promise<WindowRow[]> =>
  tx.rows<WindowRow>(sql`
    with input as (
      select cap, subject, messages, max_messages, make_interval(secs => seconds) as window_length
      from unnest(${increments.map(({ cap }) => cap.name)}::text[], ${increments.map(({ cap }) => cap.subject)}::bytea[],
                  ${increments.map(({ messages }) => messages)}::int[],
                  ${increments.map(({ cap }) => cap.maxMessages)}::float8[],
                  ${increments.map(({ cap }) => cap.windowMs / 1000)}::float8[])
           as increments (cap, subject, messages, max_messages, seconds)),
    counted as (
      insert into message_windows as stored (cap, subject, began_at, count, previous, forget_at)
      select cap, subject, date_bin(window_length, ${now}::timestamptz, 'epoch'), messages, 0, ${now}::timestamptz + 2 * window_length
      from input order by cap, subject
      on conflict (cap, subject) do update set (began_at, count, previous, forget_at) = (
        select case when age in (0, -1) then stored.began_at else excluded.began_at end,
               case when age in (0, -1) then stored.count + excluded.count else excluded.count end,
               case when age in (0, -1) then stored.previous when age = 1 then stored.count else 0 end,
               excluded.forget_at
        from (select round(extract(epoch from excluded.began_at - stored.began_at)
                           / extract(epoch from (excluded.forget_at - ${now}::timestamptz) / 2)) as age) as ages)
      returning cap, subject, began_at, count, previous),
    usages as (
      select counted.cap, encode(counted.subject, 'hex') as subject, began_at, count, previous, max_messages,
             count + previous * (1 - least(1, greatest(0, extract(epoch from ${now}::timestamptz - began_at)
                                                          / extract(epoch from window_length)))) as usage
      from counted join input on input.cap = counted.cap and input.subject = counted.subject)
    select cap, subject, began_at, count, previous,
           ${refuseIf(sql`select cap, subject, began_at, count, previous from usages where usage > max_messages`)}
    from usages`);

/** Computes the usage as the SQL above does. */
function computeUsage({ began_at, count, previous }: WindowRow, { windowMs }: MessageCap, now: Date): number {
  const elapsedShare = Math.min(1, Math.max(0, (now.getTime() - began_at.getTime()) / windowMs));
  return count + previous * (1 - elapsedShare);
}

/** Computes when the next message is allowed, if no other message is sent until then. */
function computeNextAllowedAt(
  { began_at, count, previous }: WindowRow,
  { maxMessages, windowMs }: MessageCap,
): Date {
  // If the current window alone exceeds the cap, enough of its messages expire only during the next window. `count` includes the refused
  // message, which does not expire.
  const isFullAlone = count > maxMessages;
  const startMs = began_at.getTime() + (isFullAlone ? windowMs : 0);
  const expiringCount = isFullAlone ? count - 1 : previous;
  const remainingCount = isFullAlone ? 1 : count;
  const shareToExpire = Math.max(0, 1 - (maxMessages - remainingCount) / expiringCount);
  return new Date(startMs + Math.ceil(windowMs * shareToExpire));
}

export async function purgeOldMessageWindows(db: Queryable, now: Date): Promise<void> {
  await runInBatches(() =>
    db.run(sql`
      delete from message_windows stored
      using (select cap, subject from message_windows where forget_at < ${now} limit 1000 for update skip locked) as expired
      where stored.cap = expired.cap and stored.subject = expired.subject`),
  );
}
