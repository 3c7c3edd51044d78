import { addDays, type Day, day, endOfDay, saoPauloDay, startOfDay } from '#core/values/day.ts';
import { HOUR_MS } from '#core/values/duration.ts';
import type { Clock } from '#platform/clock.ts';
import { lockAdvisory } from '#platform/database/advisory-locks.ts';
import type { Db, Queryable } from '#platform/database/db.ts';
import type { CronItem, Tasks } from '#platform/jobs/jobs.ts';
import {
  type AccountSum,
  findFirstPostingAt,
  findLastClosedDay,
  insertDay,
  sumDays,
  sumPosted,
} from './store.ts';

/** No posting is older than this. */
export const FIRST_DAY = day('2000-01-01');
/** After this time, all postings dated before midnight are committed, except backdated ones (by more than half an hour). */
const CLOSING_DELAY_MS = HOUR_MS;

/**
 * Sums postings from one day to the end of another, in centavos by account. The date is when they were posted, not when their cause
 * occurred, so a report about a past day does not change, unless a clock is set back to it. Without `from` the result is the balances.
 */
export async function sumAccounts(db: Queryable, { from = FIRST_DAY, to }: { from?: Day; to: Day }) {
  const lastClosedDay = await findLastClosedDay(db);
  const [since, earlierInstant] = [new Date(startOfDay(from)), new Date(endOfDay(to))];
  const sums: AccountSum[] = [];
  if (lastClosedDay === null || from > lastClosedDay)
    sums.push(...(await sumPosted(db, since, earlierInstant)));
  else {
    const closed = to <= lastClosedDay ? to : lastClosedDay;
    const closedBefore = new Date(endOfDay(closed));
    sums.push(...(await sumDays(db, from, closed)));
    sums.push(...(await sumPosted(db, since, closedBefore, 'backdated')));
    if (to > lastClosedDay) sums.push(...(await sumPosted(db, closedBefore, earlierInstant)));
  }
  const totals = new Map<string, number>();
  for (const { account, amount_cents } of sums)
    totals.set(account, (totals.get(account) ?? 0) + amount_cents);
  return totals;
}

/** The last day that can be closed. It must have ended both by the clock and in real time, because the sandbox clock can be ahead. */
export function findLastClosableDay(now: Date): Day {
  return addDays(saoPauloDay(Math.min(now.getTime(), Date.now()) - CLOSING_DELAY_MS), -1);
}

/** Closes days up to `until`: stores their sums, one day at a time. */
export async function closeDays(db: Db, until: Day): Promise<void> {
  for (;;) {
    const done = await db.transaction(async (tx) => {
      // Only one node closes days at a time.
      await lockAdvisory(tx, 'ledgerClosing');
      const lastClosedDay = await findLastClosedDay(tx);
      const from = lastClosedDay === null ? FIRST_DAY : addDays(lastClosedDay, 1);
      if (from > until) return true;
      // Days without postings are closed together with the next day that has some.
      const first = await findFirstPostingAt(tx, new Date(startOfDay(from)));
      const nextDay = first === null ? until : saoPauloDay(first.getTime());
      const lastDay = nextDay < until ? nextDay : until;
      const sums = await sumPosted(tx, new Date(startOfDay(lastDay)), new Date(endOfDay(lastDay)), 'inTime');
      await insertDay(tx, lastDay, sums);
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
  ledger_close_days: () => closeDays(db, findLastClosableDay(clock.now())),
});

/** Runs every hour, so a missed run is caught up soon. */
export const CLOSING_CRON: CronItem[] = [{ task: 'ledger_close_days', match: '20 * * * *' }];
