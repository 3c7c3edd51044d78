import { saoPauloDay } from '#core/values/day.ts';
import { lockCustomerById } from '#customers';
import type { Deps } from '#module';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import type { CronItem, Tasks } from '#platform/jobs/jobs.ts';
import { loadAccount } from './cashback-account.ts';
import { listCustomersToExpire } from './store/cashback.ts';

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    cashback_expire: NoPayload;
  }
}

const BATCH_SIZE = 500;

type ExpiryDeps = Pick<Deps, 'db' | 'clock' | 'events' | 'log'>;

export const rewardsTasks = (deps: ExpiryDeps): Tasks => ({
  cashback_expire: async () => {
    const { customers } = await expireCashback(deps);
    if (customers > 0) deps.log.info({ customers }, 'recorded expired cashback');
  },
});

/** A little after every hour, one of which is midnight in São Paulo. */
export const REWARDS_CRON: CronItem[] = [{ task: 'cashback_expire', match: '3 * * * *' }];

/**
 * Writes the lines of expired lots, customer by customer. Nothing depends on when this runs: queries compute the same before and
 * after. A failure for one customer does not stop the others.
 */
export async function expireCashback({ db, clock, events, log }: ExpiryDeps): Promise<{ customers: number }> {
  const now = clock.now();
  const today = saoPauloDay(now.getTime());
  let customers = 0;
  let failures = 0;
  let after = '';
  for (;;) {
    const ids = await listCustomersToExpire(db, today, after, BATCH_SIZE);
    for (const id of ids) {
      try {
        await customerTransaction(db, id, async (tx) => {
          await lockCustomerById(tx, id);
          await loadAccount(tx, id, { events, now });
        });
        customers++;
      } catch (error) {
        failures++;
        log.error({ err: error, customer_id: id }, 'could not record expired cashback');
      }
    }
    const last = ids.at(-1);
    if (last === undefined) break;
    after = last;
  }
  if (failures > 0) throw new Error(`could not record expired cashback of ${failures} customers`);
  return { customers };
}
