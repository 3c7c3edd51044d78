import { findMerchantWithPlanById } from '#catalog';
import type { PrepareMessage } from '#messages';
import type { Deps } from '#module';
import type { Db } from '#platform/database/db.ts';
import { type CronItem, enqueueNow, type Tasks } from '#platform/jobs/jobs.ts';
import { withAuditedUpdate } from '#platform/privacy/audit-trail.ts';
import { findPayoutAccount, listDueAccountChanges } from './account-store.ts';
import { applyAccountChange, lockDueChange, payoutAccountAuditEntity } from './payout-account.ts';

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    payout_accounts_sweep: NoPayload;
  }
}

const BATCH_SIZE = 1_000;

type AccountJobDeps = Pick<Deps, 'db' | 'clock' | 'log'>;

export const accountTasks = (deps: AccountJobDeps): Tasks => ({
  payout_accounts_sweep: () => applyDueChanges(deps),
});

export const ACCOUNTS_CRON: CronItem[] = [{ task: 'payout_accounts_sweep', match: '* * * * *' }];

/** Enqueues a sweep for changes that became due while no node was running, or because the clock was moved. */
export const enqueueAccountSweep = (deps: Pick<Deps, 'db' | 'log'>): Promise<void> =>
  enqueueNow(
    deps,
    'payout_accounts_sweep',
    {},
    'could not enqueue a sweep of payout accounts; the next scheduled one runs within a minute',
  );

/** Applies due changes, each in its own transaction. A failure does not stop the others and is retried within a minute. */
async function applyDueChanges({ db, clock, log }: AccountJobDeps): Promise<void> {
  const now = clock.now();
  const actor = { id: 'semana', ipAddress: null, requestId: null };
  for (const merchantId of await listDueAccountChanges(db, now, BATCH_SIZE)) {
    try {
      await db.transaction(async (tx) => {
        const change = await lockDueChange(tx, merchantId, now);
        if (!change) return;
        const merchant = await findMerchantWithPlanById(tx, merchantId);
        if (!merchant) return applyAccountChange(tx, merchantId, change, now);
        await withAuditedUpdate(
          tx,
          { actor, action: 'applyPayoutAccountChange', now },
          { entity: payoutAccountAuditEntity, id: merchant.slug },
          () => applyAccountChange(tx, merchantId, change, now),
        );
      });
    } catch (error) {
      log.error({ err: error, merchant_id: merchantId }, 'could not apply the change of a payout account');
    }
  }
}

/** Fills in the message. Skips it if the announced change was applied or cancelled since. */
export const prepareAccountMessage =
  (db: Db): PrepareMessage<'payout_account_changed'> =>
  async ({ data }) => {
    const { merchantId, countsAt: effectiveAt } = data;
    const account = await findPayoutAccount(db, merchantId);
    const isPending = effectiveAt !== null;
    if (isPending && account.change_counts_at?.toISOString() !== effectiveAt) return null;
    const merchant = await findMerchantWithPlanById(db, merchantId);
    const key = (isPending ? account.change?.pix_key : account.pix_key) ?? '';
    return { ...data, merchant: merchant?.name ?? '', keyEnd: key.slice(-4) };
  };
