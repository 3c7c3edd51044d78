import { type Day, saoPauloDay } from '#core/values/day.ts';
import { centsToReais } from '#core/values/money.ts';
import { lockCustomerById } from '#customers';
import type { EventContext } from '#events';
import type { Deps } from '#module';
import { type CustomerTx, customerTransaction } from '#platform/database/customer-transaction.ts';
import { limitConcurrency, waitForAllOrThrow } from '#platform/jobs/concurrency.ts';
import type { CronItem, Tasks } from '#platform/jobs/jobs.ts';
import { listNewlyOverdueCustomers, markOverduePublished, type OverdueCursor } from './due-store.ts';

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    overdue_tell: NoPayload; // publishes overdue events
  }
}

const BATCH_SIZE = 500;
const BEFORE_FIRST_INSTALLMENT: OverdueCursor = { dueOn: '0001-01-01' as Day, customerId: '' };
/** Concurrent transactions share the wait for the disk. */
const CONCURRENCY = 4;

type OverdueDeps = Pick<Deps, 'db' | 'clock' | 'events' | 'log'>;

export const createOverdueTasks = (deps: OverdueDeps): Tasks => ({
  overdue_tell: async () => {
    const { customerCount } = await publishAllOverdue(deps);
    if (customerCount > 0) deps.log.info({ customers: customerCount }, 'published overdue events');
  },
});

/** Runs a minute after every full hour, and so shortly after midnight in São Paulo; also at start and after a clock move, without payload. */
export const OVERDUE_CRON: CronItem[] = [
  { task: 'overdue_tell', match: '1 * * * *', atStart: {}, afterClockMove: {} },
];

/**
 * Publishes events for installments that became overdue at midnight, in one transaction per customer. Only events depend on this job:
 * queries compute the status themselves. A later run publishes missed events. A failure for one customer does not stop the others.
 */
export async function publishAllOverdue({ db, clock, events, log }: OverdueDeps) {
  const today = saoPauloDay(clock.now().getTime());
  const processedIds = new Set<string>();
  const failedIds = new Set<string>();
  const publishForCustomer = async (customerId: string) => {
    try {
      await customerTransaction(db, customerId, async (tx) => {
        await lockCustomerById(tx, customerId);
        // Reads the clock again, because a reset of the sandbox may have set it back.
        await publishOverdue(tx, customerId, { events, now: clock.now() });
      });
    } catch (error) {
      failedIds.add(customerId);
      log.error({ err: error, customer_id: customerId }, 'could not publish overdue events');
    }
  };
  let cursor: OverdueCursor | undefined = BEFORE_FIRST_INSTALLMENT;
  while (cursor) {
    const batch: OverdueCursor[] = await listNewlyOverdueCustomers(db, today, cursor, BATCH_SIZE);
    const batchIds = new Set(batch.map(({ customerId }) => customerId));
    const customerIds = [...batchIds].filter((id) => !processedIds.has(id));
    for (const customerId of customerIds) processedIds.add(customerId);
    const runLimited = limitConcurrency(CONCURRENCY);
    await waitForAllOrThrow(
      customerIds.map((customerId) => runLimited(() => publishForCustomer(customerId))),
    );
    cursor = batch.at(-1);
  }
  if (failedIds.size > 0) throw new Error(`could not publish overdue events of ${failedIds.size} customers`);
  return { customerCount: processedIds.size };
}

/** Publishes the unpublished overdue events of a customer. The caller has locked the customer. */
export async function publishOverdue(tx: CustomerTx, customerId: string, { events, now }: EventContext) {
  const overdueInstallments = await markOverduePublished(tx, customerId, saoPauloDay(now.getTime()));
  for (const [checkout_hash, installments] of Map.groupBy(overdueInstallments, (row) => row.checkout_hash)) {
    for (const { id, number, due_on, effective_due_on, ...row } of installments) {
      const data = {
        checkout_hash,
        installment_id: id,
        number,
        due_on,
        effective_due_on,
        installments_total: row.installments_total,
        merchant_name: row.merchant_name,
        outstanding: centsToReais(row.outstanding_cents),
      };
      await events.emit(tx, { type: 'installment.overdue', customerId, data }, now);
    }
    if (!installments.some((row) => row.purchase_was_overdue))
      await events.emit(tx, { type: 'checkout.overdue', customerId, data: { checkout_hash } }, now);
  }
}
