import type { Events } from '#events';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/database/db.ts';
import type { CronItem, Tasks } from '#platform/jobs/jobs.ts';
import type { Log } from '#platform/observability/log.ts';
import { expireCashback } from './expire-cashback.ts';

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    cashback_expire: NoPayload;
  }
}

export const rewardsTasks = (context: { db: Db; clock: Clock; events: Events; log: Log }): Tasks => ({
  cashback_expire: async () => {
    const { customers } = await expireCashback(context);
    if (customers > 0) context.log.info({ customers }, 'expired cashback was written down');
  },
});

/** A little after every hour, one of which is midnight in São Paulo. */
export const REWARDS_CRON: CronItem[] = [{ task: 'cashback_expire', match: '3 * * * *' }];
