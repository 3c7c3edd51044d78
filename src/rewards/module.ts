import { cashbackBalanceService, cashbackDebtService } from '#credit';
import { defineModule } from '#module';
import { buildEndpoints } from '#platform/http/endpoint.ts';
import { bindService } from '#platform/service.ts';
import { rewardsAuditor } from './audit.ts';
import { createRewardsTasks, REWARDS_CRON } from './cashback-account.ts';
import * as endpoints from './http/index.ts';
import { onCustomerRegistered } from './invitations.ts';
import {
  onInstallmentOverpaid,
  onInstallmentPaid,
  onInstallmentReopened,
  onPaymentChanged,
} from './on-installment.ts';
import { rewardsPersonalData } from './personal-data.ts';
import { findBalances, selectCashbackDebt } from './reading-store.ts';
import { renderBalance } from './render.ts';
import { rewardsSettings } from './settings.ts';
import { countHeldRewards } from './store/invitations.ts';

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
  eventHandlers: (settings) => ({
    'customer.registered': [onCustomerRegistered(settings)],
    'installment.paid': [onInstallmentPaid(settings)],
    'installment.overpaid': [onInstallmentOverpaid],
    'installment.payment_changed': [onPaymentChanged(settings)],
    'installment.reopened': [onInstallmentReopened(settings)],
  }),
  provides: [
    bindService(cashbackDebtService, selectCashbackDebt),
    bindService(cashbackBalanceService, async (db, customerId, today) => {
      const { available, pending } = renderBalance(await findBalances(db, customerId, today));
      return { available, pending };
    }),
  ],
  auditor: rewardsAuditor,
  personalData: rewardsPersonalData,
  open(deps) {
    const rewardsDeps = { ...deps, referralSettings: deps.settings };
    return {
      ...buildEndpoints(endpoints, rewardsDeps),
      tasks: createRewardsTasks(deps),
      cron: REWARDS_CRON,
      pendingWork: { rewards: () => countHeldRewards(deps.db) },
    };
  },
});
