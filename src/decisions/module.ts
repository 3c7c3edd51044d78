import { acceptance } from '#credit';
import { firstLimit } from '#customers';
import { defineModule } from '#module';
import { openEndpoints } from '#platform/http/endpoint.ts';
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
import { decisionProblems } from './problems.ts';
import { decisionsSettings } from './settings.ts';

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
  problems: decisionProblems,
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
    deps.provide(firstLimit, firstLimitOf(deps.settings, null));
    deps.provide(acceptance, acceptanceOf(deps));
    return { ...openEndpoints(endpoints, deps), tasks: decisionTasks(deps), cron: DECISIONS_CRON };
  },
});
