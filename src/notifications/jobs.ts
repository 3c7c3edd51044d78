import { addDays, type Day, saoPauloDay } from '#core/values/day.ts';
import { isRunFinished, markRunFinished, queueCustomerMessage } from '#messages';
import type { CronItem, Tasks } from '#platform/jobs/jobs.ts';
import { listExpiringCashback } from '#rewards';
import { isReminderHour } from './reminder-schedule.ts';
import { type ReminderDeps, writeDailyReminders } from './reminders.ts';

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    /** `isAgain` runs the job even if today's notifications are already written. */
    notices_of_the_day: { isAgain?: boolean };
  }
}

const RUN_NAME = 'notices of the day';
const CASHBACK_BATCH_SIZE = 500;
/** Customers are notified seven days before their cashback expires, or up to three days later because of a Sunday, a holiday or an outage. */
const DAYS_BEFORE_EXPIRY = [7, 6, 5, 4];

export const createNotificationTasks = (deps: ReminderDeps): Tasks => ({
  notices_of_the_day: async ({ isAgain = false }) => {
    const { db, clock, log } = deps;
    const now = clock.now();
    const day = saoPauloDay(now.getTime());
    if (!isReminderHour(now) || (!isAgain && (await isRunFinished(db, RUN_NAME, day)))) return;
    // A run that lasts past midnight ends unfinished: the new day has its own run.
    const isDayOver = () => saoPauloDay(clock.now().getTime()) !== day;
    const customerCount = await writeDailyReminders(deps);
    if (isDayOver()) return;
    for (const days of DAYS_BEFORE_EXPIRY) await notifyExpiringCashback(deps, addDays(day, days), now);
    if (isDayOver()) return;
    await markRunFinished(db, RUN_NAME, day, clock.now());
    if (customerCount > 0)
      log.info({ customers: customerCount }, 'reminders for due installments are written');
  },
});

export const NOTIFICATIONS_CRON: CronItem[] = [
  { task: 'notices_of_the_day', match: '* * * * *', afterClockMove: { isAgain: true } },
];

/** Writes a message to each customer with cashback whose last day is `expiresOn`. */
async function notifyExpiringCashback({ db }: ReminderDeps, expiresOn: Day, now: Date): Promise<void> {
  const listNext = (afterId: string) => listExpiringCashback(db, expiresOn, afterId, CASHBACK_BATCH_SIZE);
  let customers = await listNext(''); // from the first customer
  while (customers.length > 0) {
    const batch = customers;
    // The transaction writes the queued messages before it commits. A repeated message about the same day is ignored.
    await db.transaction(async (tx) => {
      for (const { customer_id, amount_cents: amountCents } of batch)
        queueCustomerMessage(tx, customer_id, {
          template: 'cashback_expiring',
          data: { amountCents, expiresOn },
          subjectKey: expiresOn,
          now,
        });
    });
    customers = await listNext(batch.at(-1)!.customer_id);
  }
}
