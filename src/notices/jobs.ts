import { addDays, type Day, saoPauloDay } from '#core/day.ts';
import { isRunFinished, putRun, tellCustomer } from '#messages';
import { type CronItem, enqueue, type Tasks } from '#platform/jobs/jobs.ts';
import { listExpiring } from '#rewards';
import { isReminderHour } from './quiet-hours.ts';
import { type Reminding, remindAll } from './reminders.ts';

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    /** `isAgain`: even if today's notices are written already. */
    notices_of_the_day: { isAgain?: boolean };
  }
}

const RUN = 'notices of the day';
const ATTEMPTS = 3;
const BATCH_SIZE = 500;
/** How many days before it expires customers are told of their cashback: seven, or fewer after a Sunday, a holiday or an outage. */
const EXPIRING_DAYS = [7, 6, 5, 4];

export const noticeTasks = (reminding: Reminding): Tasks => ({
  notices_of_the_day: async ({ isAgain = false }) => {
    const { db, clock, log } = reminding;
    const now = clock.now();
    const day = saoPauloDay(now.getTime());
    if (!isReminderHour(now) || (!isAgain && (await isRunFinished(db, RUN, day)))) return;
    const isOver = () => saoPauloDay(clock.now().getTime()) !== day;
    const customers = await remindAll(reminding);
    if (isOver()) return;
    for (const days of EXPIRING_DAYS) await tellExpiring(reminding, addDays(day, days), now);
    if (isOver()) return;
    await putRun(db, RUN, day, clock.now());
    if (customers > 0) log.info({ customers }, 'customers are reminded of what is due');
  },
});

export const NOTICES_CRON: CronItem[] = [{ task: 'notices_of_the_day', match: '* * * * *' }];

/** Enqueues today's notices again after the clock was moved. */
export async function catchUpNotices({ db, log }: Pick<Reminding, 'db' | 'log'>): Promise<void> {
  await db
    .transaction((tx) =>
      enqueue(tx, 'notices_of_the_day', { isAgain: true }, ATTEMPTS, { key: 'notices_of_the_day' }),
    )
    .catch((error: unknown) => log.warn({ err: error }, 'the next minute tells what is due'));
}

async function tellExpiring({ db }: Reminding, expiresOn: Day, now: Date): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const expiring: Awaited<ReturnType<typeof listExpiring>> = await listExpiring(
      db,
      expiresOn,
      after,
      BATCH_SIZE,
    );
    for (const { customer_id, amount_cents: amountCents } of expiring)
      await db.transaction(async (tx) => {
        const parts = { amountCents, expiresOn };
        tellCustomer(tx, customer_id, { template: 'cashback_expiring', parts, about: expiresOn, now });
      });
    after = expiring.at(-1)?.customer_id;
  }
}
