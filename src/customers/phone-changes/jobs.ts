import type { PrepareMessage } from '#messages';
import type { Db } from '#platform/database/db.ts';
import { type CronItem, enqueue, type Tasks } from '#platform/jobs/jobs.ts';
import type { CustomersDeps } from '../customers.ts';
import { applyDuePhoneChange } from './decide-change.ts';
import { findPhoneChange, listDueChanges } from './store.ts';

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    phone_changes_sweep: NoPayload;
  }
}

const BATCH_SIZE = 1_000;
const MAX_ATTEMPTS = 3;

export const phoneChangeTasks = (deps: CustomersDeps): Tasks => ({
  phone_changes_sweep: () => applyDueChanges(deps),
});

export const PHONE_CHANGES_CRON: CronItem[] = [{ task: 'phone_changes_sweep', match: '* * * * *' }];

/** Enqueues a sweep, for changes that became due during downtime or because the clock was moved. */
export async function enqueuePhoneChangeSweep({ db, log }: Pick<CustomersDeps, 'db' | 'log'>): Promise<void> {
  await db
    .transaction((tx) => enqueue(tx, 'phone_changes_sweep', {}, MAX_ATTEMPTS, { key: 'phone_changes_sweep' }))
    .catch((error: unknown) =>
      log.warn(
        { err: error },
        'could not enqueue the sweep of phone changes; the cron job will run it within a minute',
      ),
    );
}

/** Uses one transaction per change: a failure does not delay the other changes, and is retried in a minute. */
async function applyDueChanges(deps: CustomersDeps): Promise<void> {
  const { db, clock, log, endedSessions } = deps;
  const now = clock.now();
  for (const customerId of await listDueChanges(db, now, BATCH_SIZE)) {
    try {
      for (const id of await applyDuePhoneChange(deps, customerId, now)) endedSessions.add(id);
    } catch (error) {
      log.error({ err: error, customer_id: customerId }, 'could not apply a phone change');
    }
  }
}

/** Drops a message whose phone change has taken effect or was cancelled since: that has its own message. */
export const preparePhoneChangeMessage =
  (db: Db): PrepareMessage<'phone_changed'> =>
  async ({ data }) => {
    const change = await findPhoneChange(db, data.changeId);
    return change?.status === data.state ? data : null;
  };
