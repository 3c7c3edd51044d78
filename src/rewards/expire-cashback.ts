import { saoPauloDay } from '#core/day.ts';
import { lockCustomerById } from '#customers';
import type { Deps } from '#module';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import type { CronItem, Tasks } from '#platform/jobs/jobs.ts';
import { readAccount } from './cashback-account.ts';
import { listCustomersToExpire } from './store/lots.ts';

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    cashback_expire: NoPayload;
  }
}

const BATCH_CUSTOMERS = 500;

type Parts = Pick<Deps, 'db' | 'clock' | 'events' | 'log'>;

export const rewardsTasks = (deps: Parts): Tasks => ({
  cashback_expire: async () => {
    const { customers } = await expireCashback(deps);
    if (customers > 0) deps.log.info({ customers }, 'expired cashback was written down');
  },
});

/** A little after every hour, one of which is midnight in São Paulo. */
export const REWARDS_CRON: CronItem[] = [{ task: 'cashback_expire', match: '3 * * * *' }];

/**
 * Writes expired lots, customer by customer. Nothing depends on when: readers compute the same before and after. A failure for
 * one customer does not stop the others.
 */
export async function expireCashback({ db, clock, events, log }: Parts): Promise<{ customers: number }> {
  const now = clock.now();
  const today = saoPauloDay(now.getTime());
  let customers = 0;
  let failures = 0;
  let after = '';
  for (;;) {
    const ids = await listCustomersToExpire(db, today, after, BATCH_CUSTOMERS);
    for (const id of ids) {
      try {
        await customerTransaction(db, id, async (tx) => {
          await lockCustomerById(tx, id);
          await readAccount(tx, id, { events, now });
        });
        customers++;
      } catch (error) {
        failures++;
        log.error({ err: error, customer_id: id }, 'expired cashback could not be written down');
      }
    }
    const last = ids.at(-1);
    if (last === undefined) break;
    after = last;
  }
  if (failures > 0) throw new Error(`expired cashback of ${failures} customers could not be written down`);
  return { customers };
}
