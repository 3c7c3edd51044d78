import { type Day, saoPauloDay } from '#core/day.ts';
import { reaisOf } from '#core/money.ts';
import { lockCustomerById } from '#customers';
import type { EventContext } from '#events';
import type { Deps } from '#module';
import { type CustomerTx, customerTransaction } from '#platform/database/customer-transaction.ts';
import { type CronItem, enqueueSoon, type Tasks } from '#platform/jobs/jobs.ts';
import { allTried, limitedTo } from '#platform/jobs/many.ts';
import { listTurnedOverdue, markOverdueTold, type Turn } from './due-store.ts';

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    overdue_tell: NoPayload;
  }
}

const CUSTOMERS_READ = 500;
/** Their transactions wait for the disk together. */
const MOST_CONCURRENT = 4;

type Parts = Pick<Deps, 'db' | 'clock' | 'events' | 'log'>;

export const overdueTasks = (deps: Parts): Tasks => ({
  overdue_tell: async () => {
    const { customers } = await tellAllOverdue(deps);
    if (customers > 0) deps.log.info({ customers }, 'what became overdue was told');
  },
});

/** A little after every hour, one of which is midnight in São Paulo. */
export const OVERDUE_CRON: CronItem[] = [{ task: 'overdue_tell', match: '1 * * * *' }];

/** Soon, on any node: for what was missed while no node ran, or after a clock was moved. */
export const tellOverdueSoon = (deps: Pick<Deps, 'db' | 'log'>): Promise<void> =>
  enqueueSoon(deps, 'overdue_tell', {}, 'the next hour tells what became overdue');

/**
 * Announces what became overdue at midnight, a transaction for each customer. Nothing else depends on it: queries compute the same before
 * and after. Missed announcements are made up for. A failure for one customer does not stop the others.
 */
export async function tellAllOverdue({ db, clock, events, log }: Parts): Promise<{ customers: number }> {
  const today = saoPauloDay(clock.now().getTime());
  const done = new Set<string>();
  let failures = 0;
  const tell = async (customerId: string) => {
    try {
      await customerTransaction(db, customerId, async (tx) => {
        await lockCustomerById(tx, customerId);
        // By the current clock: a reset of the sandbox may have set it back.
        await tellOverdue(tx, customerId, { events, now: clock.now() });
      });
    } catch (error) {
      failures++;
      log.error({ err: error, customer_id: customerId }, 'what became overdue could not be told');
    }
  };
  let after: Turn | undefined = { dueOn: '0001-01-01' as Day, customerId: '' };
  while (after) {
    const turns: Turn[] = await listTurnedOverdue(db, today, after, CUSTOMERS_READ);
    const waiting = [...new Set(turns.map(({ customerId }) => customerId))].filter((id) => !done.has(id));
    for (const customerId of waiting) done.add(customerId);
    const inTurn = limitedTo(MOST_CONCURRENT);
    await allTried(waiting.map((customerId) => inTurn(() => tell(customerId))));
    after = turns.at(-1);
  }
  if (failures > 0) throw new Error(`what became overdue of ${failures} customers could not be told`);
  return { customers: done.size };
}

/** The caller has locked the customer. */
export async function tellOverdue(
  tx: CustomerTx,
  customerId: string,
  { events, now }: EventContext,
): Promise<void> {
  const overdue = await markOverdueTold(tx, customerId, saoPauloDay(now.getTime()));
  for (const [checkout_hash, installments] of Map.groupBy(overdue, (row) => row.checkout_hash)) {
    for (const { id, number, due_on, effective_due_on, ...row } of installments) {
      const data = {
        checkout_hash,
        installment_id: id,
        number,
        due_on,
        effective_due_on,
        installments_total: row.installments_total,
        merchant_name: row.merchant_name,
        outstanding: reaisOf(row.outstanding_cents),
      };
      await events.emit(tx, { type: 'installment.overdue', customerId, data }, now);
    }
    if (!installments.some((row) => row.was_overdue))
      await events.emit(tx, { type: 'checkout.overdue', customerId, data: { checkout_hash } }, now);
  }
}
