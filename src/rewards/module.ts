import { cashbackDebt } from '#credit';
import { defineModule } from '#module';
import { openEndpoints } from '#platform/http/endpoint.ts';
import { provided } from '#platform/service.ts';
import { rewardsAuditor } from './audit.ts';
import { cashbackAdjust } from './commands/cashback-adjust.ts';
import { cashbackShow } from './commands/cashback-show.ts';
import { referralAdd } from './commands/referral-add.ts';
import { cashbackList, referralList } from './commands/staff-lists.ts';
import { REWARDS_CRON, rewardsTasks } from './expire-cashback.ts';
import * as endpoints from './http/index.ts';
import {
  onInstallmentOverpaid,
  onInstallmentPaid,
  onInstallmentReopened,
  onPaymentChanged,
} from './on-installment.ts';
import { rewardsData } from './personal-data.ts';
import { cashbackOwed } from './reading-store.ts';
import { onCustomerRegistered } from './record-invitation.ts';
import { rewardsSettings } from './settings.ts';

export const rewardsModule = defineModule({
  name: 'rewards',
  settings: rewardsSettings,
  tags: {
    staff: [
      {
        name: 'Rewards',
        paths: ['/admin/cashback', '/admin/referrals'],
        description: 'Cashback and invitations of all customers.',
      },
    ],
  },
  handlers: (settings) => ({
    'customer.registered': [onCustomerRegistered(settings)],
    'installment.paid': [onInstallmentPaid],
    'installment.overpaid': [onInstallmentOverpaid],
    'installment.payment_changed': [onPaymentChanged],
    'installment.reopened': [onInstallmentReopened],
  }),
  provides: [provided(cashbackDebt, cashbackOwed)],
  auditor: rewardsAuditor,
  personalData: rewardsData,
  commands: ({ events, settings }) => [
    ...[cashbackShow, cashbackList, cashbackAdjust(events), referralList, referralAdd(settings)],
  ],
  open(deps) {
    const rewards = { ...deps, referral: deps.settings };
    return {
      ...openEndpoints(endpoints, rewards),
      tasks: rewardsTasks(deps),
      cron: REWARDS_CRON,
    };
  },
});
