import { addDays, type Day, day, endOfDay, saoPauloDay, startOfDay } from '#core/day.ts';
import type { Clock } from '#platform/clock.ts';
import type { Db, Queryable } from '#platform/database/db.ts';
import type { CronItem, Tasks } from '#platform/jobs/jobs.ts';
import {
  type AccountSum,
  findClosedTo,
  findFirstPostingAt,
  insertDay,
  lockClosing,
  sumDays,
  sumPosted,
} from './store.ts';

/** Nothing was posted before. */
export const FIRST_DAY = day('2000-01-01');
/** What was dated before midnight and is not backdated (half an hour) was begun by then, and is committed. */
const MARGIN_MS = 3_600_000;

/**
 * What was posted from a day until the end of another, in centavos by account: by when it was written down, so that what a report
 * said of a day that is over stays as it was, unless a clock is set back to it. Without `from` all that ever was, and so the balances.
 */
export async function sumAccounts(
  db: Queryable,
  { from = FIRST_DAY, to }: { from?: Day; to: Day },
): Promise<Map<string, number>> {
  const closedTo = await findClosedTo(db);
  const [since, before] = [new Date(startOfDay(from)), new Date(endOfDay(to))];
  const sums: AccountSum[] = [];
  if (closedTo === null || from > closedTo) sums.push(...(await sumPosted(db, since, before)));
  else {
    const closed = to <= closedTo ? to : closedTo;
    const closedBefore = new Date(endOfDay(closed));
    sums.push(...(await sumDays(db, from, closed)));
    sums.push(...(await sumPosted(db, since, closedBefore, 'backdated')));
    if (to > closedTo) sums.push(...(await sumPosted(db, closedBefore, before)));
  }
  const totals = new Map<string, number>();
  for (const { account, amount_cents } of sums)
    totals.set(account, (totals.get(account) ?? 0) + amount_cents);
  return totals;
}

/** The last day of which nothing more can come: over by the clock and in real time, which the sandbox's clock is not. */
export function lastDayOver(now: Date): Day {
  return addDays(saoPauloDay(Math.min(now.getTime(), Date.now()) - MARGIN_MS), -1);
}

/** Adds up the days until then that are not closed yet, one at a time. */
export async function closeDays(db: Db, until: Day): Promise<void> {
  for (;;) {
    const done = await db.transaction(async (tx) => {
      await lockClosing(tx);
      const closedTo = await findClosedTo(tx);
      const from = closedTo === null ? FIRST_DAY : addDays(closedTo, 1);
      if (from > until) return true;
      // Days on which nothing was posted are closed with the next one on which something was.
      const first = await findFirstPostingAt(tx, new Date(startOfDay(from)));
      const next = first === null ? until : saoPauloDay(first.getTime());
      const last = next < until ? next : until;
      const sums = await sumPosted(tx, new Date(startOfDay(last)), new Date(endOfDay(last)), 'inTime');
      await insertDay(tx, last, sums);
      return false;
    });
    if (done) return;
  }
}

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    ledger_close_days: NoPayload;
  }
}

export const closingTasks = ({ db, clock }: { db: Db; clock: Clock }): Tasks => ({
  ledger_close_days: () => closeDays(db, lastDayOver(clock.now())),
});

/** Every hour: one that was missed is made up for. */
export const CLOSING_CRON: CronItem[] = [{ task: 'ledger_close_days', match: '20 * * * *' }];
