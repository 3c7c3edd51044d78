import { acceptance } from '#credit';
import { firstLimit, purchaseBlock } from '#customers';
import { defineModule } from '#module';
import { buildEndpoints } from '#platform/http/endpoint.ts';
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
import { createAcceptanceDecider } from './decide-acceptance.ts';
import { createFirstLimitDecider } from './decide-sign-up.ts';
import * as endpoints from './http/index.ts';
import { DECISIONS_CRON, decisionTasks } from './jobs.ts';
import { decisionsData } from './personal-data.ts';
import { decisionsSettings } from './settings.ts';
import { countReviews, selectPurchaseBlock } from './store.ts';

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
  provides: [bindService(purchaseBlock, selectPurchaseBlock)],
  personalData: decisionsData,
  open(deps) {
    const { settings, config, log } = deps;
    let simulatorUrl: string | null = null;
    const isConnected = settings.bureauUrl !== null || config.mode === 'sandbox';
    const bureau = isConnected
      ? createBureauClient(() => settings.bureauUrl ?? simulatorUrl, settings, log)
      : null;
    const decisions = { ...deps, bureau };
    deps.provideService(firstLimit, createFirstLimitDecider(decisions));
    deps.provideService(acceptance, createAcceptanceDecider(decisions));
    return {
      ...buildEndpoints(endpoints, decisions),
      pendingWork: { reviews: () => countReviews(deps.db) },
      tasks: decisionTasks(decisions),
      cron: DECISIONS_CRON,
      async start({ staffUrl }) {
        simulatorUrl = `${staffUrl}/sandbox/bureau`;
      },
    };
  },
});
