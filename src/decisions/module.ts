import { acceptance } from '#credit';
import { firstLimit } from '#customers';
import { defineModule } from '#module';
import { openEndpoints } from '#platform/http/endpoint.ts';
import { bureauAt } from './bureau.ts';
import {
  creditDecisionApprove,
  creditDecisionDecline,
  creditDecisionList,
} from './commands/credit-decision.ts';
import { creditPolicySet, creditPolicyShow, creditPolicyTry } from './commands/credit-policy.ts';
import { acceptanceOf } from './decide-acceptance.ts';
import { firstLimitOf } from './decide-sign-up.ts';
import * as endpoints from './http/index.ts';
import { DECISIONS_CRON, decisionTasks } from './jobs.ts';
import { onCheckoutPaid, onInstallmentOverdue } from './on-purchase.ts';
import { decisionsData } from './personal-data.ts';
import { decisionsSettings } from './settings.ts';
import { countReviews } from './store.ts';

export const decisionsModule = defineModule({
  name: 'decisions',
  settings: decisionsSettings,
  tags: {
    staff: [
      {
        name: 'Credit decisions',
        paths: ['/admin/credit-policy', '/admin/credit-decisions'],
        description: 'Who gets credit, how much, and why.',
      },
    ],
  },
  handlers: (settings) => ({
    'checkout.paid': [onCheckoutPaid(settings)],
    'installment.overdue': [onInstallmentOverdue(settings)],
  }),
  personalData: decisionsData,
  commands: ({ events, settings }) => [
    creditPolicyShow(settings),
    creditPolicySet(settings),
    creditPolicyTry(),
    creditDecisionList,
    creditDecisionApprove({ events, settings }),
    creditDecisionDecline({ events, settings }),
  ],
  open(deps) {
    const { settings, config, log } = deps;
    let simulatorUrl: string | null = null;
    const isConnected = settings.bureauUrl !== null || config.mode === 'sandbox';
    const bureau = isConnected ? bureauAt(() => settings.bureauUrl ?? simulatorUrl, settings, log) : null;
    const decisions = { ...deps, bureau };
    deps.provide(firstLimit, firstLimitOf(settings, bureau));
    deps.provide(acceptance, acceptanceOf(decisions));
    return {
      ...openEndpoints(endpoints, decisions),
      waiting: { reviews: () => countReviews(deps.db) },
      tasks: decisionTasks(decisions),
      cron: DECISIONS_CRON,
      async start({ staffUrl }) {
        simulatorUrl = `${staffUrl}/sandbox/bureau`;
      },
    };
  },
});
