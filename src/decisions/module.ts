import { saoPauloDay } from '#core/values/day.ts';
import { acceptanceDecider, sumLosses } from '#credit';
import { firstLimitService, purchaseBlockService } from '#customers';
import { defineModule } from '#module';
import { buildEndpoints } from '#platform/http/endpoint.ts';
import type { CronItem, Tasks } from '#platform/jobs/jobs.ts';
import { ERASED } from '#platform/privacy/personal-data.ts';
import { definePersonalTables } from '#platform/privacy/personal-tables.ts';
import { bindService } from '#platform/service.ts';
import {
  onCheckoutPaid,
  onCheckoutReturned,
  onInstallmentExtended,
  onInstallmentOverdue,
  onInstallmentPaid,
  onInstallmentReopened,
} from './adjust-limit.ts';
import { createBureauClient } from './bureau.ts';
import { createAcceptanceDecider, createFirstLimitDecider } from './decide.ts';
import type { DecisionsDeps } from './decisions.ts';
import * as endpoints from './http/index.ts';
import { decisionsSettings } from './settings.ts';
import { countPendingReviews, replaceMerchantLosses, selectPurchaseBlock } from './store.ts';

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    merchant_losses: NoPayload;
  }
}

/** Runs every night, at 3:40 in São Paulo: `match` is in UTC. */
const DECISIONS_CRON: CronItem[] = [{ task: 'merchant_losses', match: '40 6 * * *' }];

const createDecisionTasks = (deps: DecisionsDeps): Tasks => ({
  async merchant_losses() {
    const today = saoPauloDay(deps.clock.now().getTime());
    await deps.db.transaction(async (tx) => replaceMerchantLosses(tx, await sumLosses(tx, today)));
  },
});

export const decisionsModule = defineModule({
  name: 'decisions',
  settings: decisionsSettings,
  tags: {
    staff: [
      {
        name: 'Credit decisions',
        paths: ['/admin/credit-policy', '/admin/credit-decisions'],
        description: 'The credit policy, and decisions on credit limits and purchases.',
      },
    ],
  },
  eventHandlers: (settings) => ({
    'checkout.paid': [onCheckoutPaid(settings)],
    'checkout.returned': [onCheckoutReturned(settings)],
    'installment.overdue': [onInstallmentOverdue(settings)],
    'installment.paid': [onInstallmentPaid(settings)],
    'installment.extended': [onInstallmentExtended(settings)],
    'installment.reopened': [onInstallmentReopened(settings)],
  }),
  provides: [bindService(purchaseBlockService, selectPurchaseBlock)],
  personalData: {
    tables: definePersonalTables({
      credit_decisions: {
        orderBy: 'decided_at, id',
        staffOnlyFields: ['answered_by'],
        erase: { answer_reason: ERASED },
        auditTrail: { kind: 'credit_decision', idColumn: 'id' },
      },
      credit_standings: {},
      bureau_reports: { orderBy: 'asked_at', erase: 'delete' },
    }),
  },
  open(deps) {
    const { settings, config, log } = deps;
    // The URL is known only once the staff API listens.
    let simulatorUrl: string | null = null;
    const isConnected = settings.bureauUrl !== null || config.mode === 'sandbox';
    const bureau = isConnected
      ? createBureauClient(() => settings.bureauUrl ?? simulatorUrl, settings, log)
      : null;
    const decisionsDeps = { ...deps, bureau };
    deps.provideService(firstLimitService, createFirstLimitDecider(decisionsDeps));
    deps.provideService(acceptanceDecider, createAcceptanceDecider(decisionsDeps));
    return {
      ...buildEndpoints(endpoints, decisionsDeps),
      pendingWork: { reviews: () => countPendingReviews(deps.db) },
      tasks: createDecisionTasks(decisionsDeps),
      cron: DECISIONS_CRON,
      async start({ staffUrl }) {
        simulatorUrl = `${staffUrl}/sandbox/bureau`;
      },
    };
  },
});
