import { findSellingMerchantById } from '#catalog';
import type { Prepare } from '#messages';
import type { Deps } from '#module';
import type { Db } from '#platform/database/db.ts';
import { type CronItem, enqueueSoon, type Tasks } from '#platform/jobs/jobs.ts';
import { recordChange } from '#platform/privacy/trail.ts';
import { findPayoutAccount, listDueAccountChanges } from './account-store.ts';
import { applyAccountChange, lockDueChange, payoutAccountSubject } from './payout-account.ts';

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    payout_accounts_sweep: NoPayload;
  }
}

const BATCH_SIZE = 1_000;

type Parts = Pick<Deps, 'db' | 'clock' | 'log'>;

export const accountTasks = (deps: Parts): Tasks => ({
  payout_accounts_sweep: () => sweep(deps),
});

export const ACCOUNTS_CRON: CronItem[] = [{ task: 'payout_accounts_sweep', match: '* * * * *' }];

/** Enqueues a sweep, for changes that fell due during downtime or because the clock was moved. */
export const sweepAccountsSoon = (deps: Pick<Deps, 'db' | 'log'>): Promise<void> =>
  enqueueSoon(deps, 'payout_accounts_sweep', {}, 'the next minute sweeps the changes of accounts');

/** One transaction per change: a failure does not delay the others, and is retried in a minute. */
async function sweep({ db, clock, log }: Parts): Promise<void> {
  const now = clock.now();
  const actor = { id: 'semana', address: null, requestId: null };
  for (const merchantId of await listDueAccountChanges(db, now, BATCH_SIZE)) {
    try {
      await db.transaction(async (tx) => {
        const waiting = await lockDueChange(tx, merchantId, now);
        if (!waiting) return;
        const merchant = await findSellingMerchantById(tx, merchantId);
        if (!merchant) return applyAccountChange(tx, merchantId, waiting, now);
        await recordChange(
          tx,
          { actor, action: 'applyPayoutAccountChange', now },
          { of: payoutAccountSubject, id: merchant.slug },
          () => applyAccountChange(tx, merchantId, waiting, now),
        );
      });
    } catch (error) {
      log.error(
        { err: error, merchant_id: merchantId },
        'a change of a payout account could not take effect',
      );
    }
  }
}

/** Not sent if the change has taken effect or was stopped since. */
export const prepareAccountNotice =
  (db: Db): Prepare<'payout_account_changed'> =>
  async ({ parts }) => {
    const { merchantId, countsAt } = parts;
    const account = await findPayoutAccount(db, merchantId);
    if (countsAt !== null && account.change_counts_at?.toISOString() !== countsAt) return null;
    const merchant = await findSellingMerchantById(db, merchantId);
    const key = (countsAt === null ? account.pix_key : account.change?.pix_key) ?? '';
    return { ...parts, merchant: merchant?.name ?? '', keyEnd: key.slice(-4) };
  };
