import { addDays, type Day, day, daysBetween, endOfDay, saoPauloDay, startOfDay } from '#core/values/day.ts';
import { HOUR_MS } from '#core/values/duration.ts';
import type { Clock } from '#platform/clock.ts';
import { lockAdvisory } from '#platform/database/advisory-locks.ts';
import type { Db, Queryable } from '#platform/database/db.ts';
import { type CronItem, enqueue, type Tasks } from '#platform/jobs/jobs.ts';
import {
  type AccountSum,
  countPostings,
  findFirstPostingAt,
  findLastClosedDay,
  insertClosedDay,
  sumClosedDays,
  sumPostings,
} from './store.ts';

/** No posting is older than this. */
export const FIRST_DAY = day('2000-01-01');
/** A day is closed this long after its end. By then its postings are committed, except those backdated by more than half an hour. */
const CLOSING_DELAY_MS = HOUR_MS;
/** A request sums at most this many postings of days that could be closed, which takes less than a tenth of a second. */
const MAX_UNCLOSED_POSTINGS = 10_000;
const CLOSING_ATTEMPTS = 5;

/**
 * Sums postings of a range of days by account, in centavos. Uses `posted_at`, not `occurred_at`, so a report about a past day does not change
 * (except in a sandbox whose clock is set back to that day). Without `from`, returns the balances at the end of `to`.
 */
export async function sumAccounts(db: Queryable, { from = FIRST_DAY, to }: { from?: Day; to: Day }) {
  const lastClosedDay = await findLastClosedDay(db);
  const periodStart = new Date(startOfDay(from));
  const periodEnd = new Date(endOfDay(to));
  const accountSums: AccountSum[] = [];
  if (lastClosedDay === null || from > lastClosedDay)
    accountSums.push(...(await sumPostings(db, periodStart, periodEnd)));
  else {
    // Stored sums leave out backdated postings.
    const lastStoredDay = to <= lastClosedDay ? to : lastClosedDay;
    const storedSumsEnd = new Date(endOfDay(lastStoredDay));
    accountSums.push(...(await sumClosedDays(db, from, lastStoredDay)));
    accountSums.push(...(await sumPostings(db, periodStart, storedSumsEnd, 'backdated')));
    if (to > lastClosedDay) accountSums.push(...(await sumPostings(db, storedSumsEnd, periodEnd)));
  }
  const totals = new Map<string, number>();
  for (const { account, amount_cents } of accountSums)
    totals.set(account, (totals.get(account) ?? 0) + amount_cents);
  return totals;
}

/** Returns the last day that can be closed: it has ended both by the clock and in real time, because the sandbox clock can be ahead. */
export function findLastClosableDay(now: Date): Day {
  return addDays(saoPauloDay(Math.min(now.getTime(), Date.now()) - CLOSING_DELAY_MS), -1);
}

/** Closes days up to and including `lastDay`: stores their sums, one day at a time. */
export async function closeDays(db: Db, lastDay: Day): Promise<void> {
  for (;;) {
    const isDone = await db.transaction(async (tx) => {
      // Only one node closes days at a time.
      await lockAdvisory(tx, 'ledgerClosing');
      const lastClosedDay = await findLastClosedDay(tx);
      const from = lastClosedDay === null ? FIRST_DAY : addDays(lastClosedDay, 1);
      if (from > lastDay) return true;
      // Days without postings are closed together with the next day that has postings.
      const firstPostingAt = await findFirstPostingAt(tx, new Date(startOfDay(from)));
      const nextDayWithPostings = firstPostingAt === null ? lastDay : saoPauloDay(firstPostingAt.getTime());
      const dayToClose = nextDayWithPostings < lastDay ? nextDayWithPostings : lastDay;
      const [dayStart, dayEnd] = [new Date(startOfDay(dayToClose)), new Date(endOfDay(dayToClose))];
      await insertClosedDay(tx, dayToClose, await sumPostings(tx, dayStart, dayEnd, 'notBackdated'));
      return false;
    });
    if (isDone) return;
  }
}

/**
 * If the days that could be closed have more postings than a request may sum, enqueues their closing and returns the percentage of days
 * that are closed. Otherwise returns null.
 */
export async function enqueueClosingIfNeeded(db: Db, now: Date): Promise<number | null> {
  const lastClosableDay = findLastClosableDay(now);
  const lastClosedDay = await findLastClosedDay(db);
  const unclosedStart = new Date(startOfDay(lastClosedDay === null ? FIRST_DAY : addDays(lastClosedDay, 1)));
  const limit = MAX_UNCLOSED_POSTINGS + 1;
  if ((await countPostings(db, unclosedStart, new Date(endOfDay(lastClosableDay)), limit)) < limit)
    return null;
  await db.transaction((tx) =>
    enqueue(tx, 'ledger_close_days', {}, CLOSING_ATTEMPTS, { key: 'ledger_close_days' }),
  );
  if (lastClosedDay === null) return 0;
  // There are closed days, so there is a posting.
  const firstPostingAt = await findFirstPostingAt(db, new Date(startOfDay(FIRST_DAY)));
  const firstDay = saoPauloDay(firstPostingAt!.getTime());
  return Math.floor(
    ((daysBetween(firstDay, lastClosedDay) + 1) / (daysBetween(firstDay, lastClosableDay) + 1)) * 100,
  );
}

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    ledger_close_days: NoPayload;
  }
}

export const createClosingTasks = ({ db, clock }: { db: Db; clock: Clock }): Tasks => ({
  ledger_close_days: () => closeDays(db, findLastClosableDay(clock.now())),
});

/** Runs every hour, so that a missed run is made up for within an hour. */
export const CLOSING_CRON: CronItem[] = [{ task: 'ledger_close_days', match: '20 * * * *' }];
