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
  sumPosted,
} from './store.ts';

/** No posting is older than this. */
export const FIRST_DAY = day('2000-01-01');
/** A day is closed this long after its end. By then its postings are committed, except those backdated by more than half an hour. */
const CLOSING_DELAY_MS = HOUR_MS;
/** A request sums at most this many postings of days that could be closed, which takes less than a tenth of a second. */
const MAX_UNCLOSED_POSTINGS = 10_000;
const CLOSING_ATTEMPTS = 5;

/**
 * Sums postings of a range of days by account, in centavos. Uses the date of posting, not the date of the cause, so a report about a
 * past day does not change, unless a clock is set back to that day. Without `from`, returns the balances at the end of `to`.
 */
export async function sumAccounts(db: Queryable, { from = FIRST_DAY, to }: { from?: Day; to: Day }) {
  const lastClosedDay = await findLastClosedDay(db);
  const [periodStart, periodEnd] = [new Date(startOfDay(from)), new Date(endOfDay(to))];
  const accountSums: AccountSum[] = [];
  if (lastClosedDay === null || from > lastClosedDay)
    accountSums.push(...(await sumPosted(db, periodStart, periodEnd)));
  else {
    const lastSummedDay = to <= lastClosedDay ? to : lastClosedDay;
    const summedEnd = new Date(endOfDay(lastSummedDay));
    accountSums.push(...(await sumClosedDays(db, from, lastSummedDay)));
    accountSums.push(...(await sumPosted(db, periodStart, summedEnd, 'backdated')));
    if (to > lastClosedDay) accountSums.push(...(await sumPosted(db, summedEnd, periodEnd)));
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

/** Closes days up to `until`: stores their sums, one day at a time. */
export async function closeDays(db: Db, until: Day): Promise<void> {
  for (;;) {
    const isDone = await db.transaction(async (tx) => {
      // Only one node closes days at a time.
      await lockAdvisory(tx, 'ledgerClosing');
      const lastClosedDay = await findLastClosedDay(tx);
      const from = lastClosedDay === null ? FIRST_DAY : addDays(lastClosedDay, 1);
      if (from > until) return true;
      // Days without postings are closed together with the next day that has postings.
      const firstPostingAt = await findFirstPostingAt(tx, new Date(startOfDay(from)));
      const nextDay = firstPostingAt === null ? until : saoPauloDay(firstPostingAt.getTime());
      const lastDay = nextDay < until ? nextDay : until;
      const sums = await sumPosted(tx, new Date(startOfDay(lastDay)), new Date(endOfDay(lastDay)), 'inTime');
      await insertClosedDay(tx, lastDay, sums);
      return false;
    });
    if (isDone) return;
  }
}

/**
 * If the days that could be closed have more postings than a request may sum, enqueues their closing and returns the percentage of days
 * that are closed. Otherwise returns null.
 */
export async function requestClosing(db: Db, now: Date): Promise<number | null> {
  const until = findLastClosableDay(now);
  const lastClosedDay = await findLastClosedDay(db);
  const since = new Date(startOfDay(lastClosedDay === null ? FIRST_DAY : addDays(lastClosedDay, 1)));
  const limit = MAX_UNCLOSED_POSTINGS + 1;
  if ((await countPostings(db, since, new Date(endOfDay(until)), limit)) < limit) return null;
  await db.transaction((tx) =>
    enqueue(tx, 'ledger_close_days', {}, CLOSING_ATTEMPTS, { key: 'ledger_close_days' }),
  );
  if (lastClosedDay === null) return 0;
  const firstPostingAt = await findFirstPostingAt(db, new Date(startOfDay(FIRST_DAY)));
  const firstDay = saoPauloDay(firstPostingAt!.getTime());
  return Math.floor(((daysBetween(firstDay, lastClosedDay) + 1) / (daysBetween(firstDay, until) + 1)) * 100);
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
