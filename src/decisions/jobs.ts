import { saoPauloDay } from '#core/values/day.ts';
import { sumLosses } from '#credit';
import type { CronItem, Tasks } from '#platform/jobs/jobs.ts';
import type { DecisionsDeps } from './decisions.ts';
import { replaceMerchantLosses } from './store.ts';

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    merchant_losses: NoPayload;
  }
}

/** Runs every night, before shops open. */
export const DECISIONS_CRON: CronItem[] = [{ task: 'merchant_losses', match: '40 6 * * *' }];

export const decisionTasks = (deps: DecisionsDeps): Tasks => ({
  async merchant_losses() {
    const today = saoPauloDay(deps.clock.now().getTime());
    await deps.db.transaction(async (tx) => replaceMerchantLosses(tx, await sumLosses(tx, today)));
  },
});
