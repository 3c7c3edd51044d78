import { addDays, type Day, day, endOfDay, saoPauloDay, startOfDay } from '#core/day.ts';
import { HOUR_MS } from '#core/duration.ts';
import type { Clock } from '#platform/clock.ts';
import { lockAdvisory } from '#platform/database/advisory-locks.ts';
import type { Db, Queryable } from '#platform/database/db.ts';
import type { CronItem, Tasks } from '#platform/jobs/jobs.ts';
import { type AccountSum, findClosedTo, findFirstPostingAt, insertDay, sumDays, sumPosted } from './store.ts';

/** Nothing was posted before. */
export const FIRST_DAY = day('2000-01-01');
/** Postings dated before midnight and not backdated (half an hour) were begun by then, and are committed. */
const MARGIN_MS = HOUR_MS;

/**
 * The sum of postings from one day to the end of another, in centavos by account: by when they were posted, not by when their
 * cause happened, so that a report about a past day does not change, unless a clock is set back to it. Without `from`: since the
 * beginning, that is, the balances.
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

/** The last closed day: over by the clock and in real time, which the sandbox's clock is not. */
export function lastDayOver(now: Date): Day {
  return addDays(saoPauloDay(Math.min(now.getTime(), Date.now()) - MARGIN_MS), -1);
}

/** Sums up the days until then that are not closed yet, one at a time. */
export async function closeDays(db: Db, until: Day): Promise<void> {
  for (;;) {
    const done = await db.transaction(async (tx) => {
      // One node closes at a time.
      await lockAdvisory(tx, 'ledgerClosing');
      const closedTo = await findClosedTo(tx);
      const from = closedTo === null ? FIRST_DAY : addDays(closedTo, 1);
      if (from > until) return true;
      // Days without postings are closed together with the next day that has some.
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

/** Every hour: a missed run is made up for. */
export const CLOSING_CRON: CronItem[] = [{ task: 'ledger_close_days', match: '20 * * * *' }];
