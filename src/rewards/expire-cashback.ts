import { saoPauloDay } from '#core/day.ts';
import { lockCustomerById } from '#customers';
import type { Events } from '#events';
import type { Clock } from '#platform/clock.ts';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import type { Db } from '#platform/database/db.ts';
import type { Log } from '#platform/observability/log.ts';
import { readAccount } from './cashback-account.ts';
import { listCustomersToExpire } from './store/lots.ts';

const BATCH_CUSTOMERS = 500;

/**
 * Writes expired lots, customer by customer. Nothing depends on when: readers compute the same before and after. A failure for
 * one customer does not stop the others.
 */
export async function expireCashback(context: {
  db: Db;
  clock: Clock;
  events: Events;
  log: Log;
}): Promise<{ customers: number }> {
  const { db, clock, events, log } = context;
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
