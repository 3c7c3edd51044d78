import type { Prepare } from '#messages';
import type { Db } from '#platform/database/db.ts';
import { type CronItem, enqueue, type Tasks } from '#platform/jobs/jobs.ts';
import type { Customers } from '../customers.ts';
import { applyDueChange } from './decide-change.ts';
import { findPhoneChange, listDueChanges } from './store.ts';

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    phone_changes_sweep: NoPayload;
  }
}

const BATCH_SIZE = 1_000;
const ATTEMPTS = 3;

export const phoneChangeTasks = (customers: Customers): Tasks => ({
  phone_changes_sweep: () => sweep(customers),
});

export const PHONE_CHANGES_CRON: CronItem[] = [{ task: 'phone_changes_sweep', match: '* * * * *' }];

/** Enqueues a sweep, for changes that fell due during downtime or because the clock was moved. */
export async function sweepPhoneChangesSoon({ db, log }: Pick<Customers, 'db' | 'log'>): Promise<void> {
  await db
    .transaction((tx) => enqueue(tx, 'phone_changes_sweep', {}, ATTEMPTS, { key: 'phone_changes_sweep' }))
    .catch((error: unknown) => log.warn({ err: error }, 'the next minute sweeps the changes of phones'));
}

/** One transaction per change: a failure does not delay the others, and is retried in a minute. */
async function sweep(customers: Customers): Promise<void> {
  const { db, clock, log, ended } = customers;
  const now = clock.now();
  for (const customerId of await listDueChanges(db, now, BATCH_SIZE)) {
    try {
      for (const id of await applyDueChange(customers, customerId, now)) ended.note(id);
    } catch (error) {
      log.error({ err: error, customer_id: customerId }, 'a change of phone could not take effect');
    }
  }
}

/** Not sent if the change has taken effect or was cancelled since: that has its own message. */
export const prepareNotice =
  (db: Db): Prepare<'phone_changed'> =>
  async ({ parts }) => {
    const change = await findPhoneChange(db, parts.changeId);
    return change?.status === parts.state ? parts : null;
  };
