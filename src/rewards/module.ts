import { defineModule } from '#module';
import { rewardsAuditor } from './audit.ts';
import { cashbackAdjust } from './commands/cashback-adjust.ts';
import { cashbackShow } from './commands/cashback-show.ts';
import { referralAdd } from './commands/referral-add.ts';
import { cashbackList, referralList } from './commands/staff-lists.ts';
import { getAdminCashback } from './http/get-admin-cashback.ts';
import { getAdminCashbackId } from './http/get-admin-cashback-id.ts';
import { getAdminReferrals } from './http/get-admin-referrals.ts';
import { getAdminReferralsId } from './http/get-admin-referrals-id.ts';
import { getWalletCashbackBalance } from './http/get-wallet-cashback-balance.ts';
import { getWalletCashbackLedger } from './http/get-wallet-cashback-ledger.ts';
import { getWalletReferral } from './http/get-wallet-referral.ts';
import { postAdminCashbackIdAdjust } from './http/post-admin-cashback-id-adjust.ts';
import { postAdminReferrals } from './http/post-admin-referrals.ts';
import { postWalletInstallmentsIdCashback } from './http/post-wallet-installments-id-cashback.ts';
import { REWARDS_CRON, rewardsTasks } from './jobs.ts';
import { onInstallmentOverpaid, onInstallmentPaid, onInstallmentReopened } from './on-installment.ts';
import { rewardsData } from './personal-data.ts';
import { rewardsProblems } from './problems.ts';
import { onCustomerRegistered } from './record-invitation.ts';
import { rewardsSettings } from './settings.ts';

export const rewardsModule = defineModule({
  name: 'rewards',
  settings: rewardsSettings,
  tags: { staff: [{ name: 'Rewards', description: 'Cashback and invitations of all customers.' }] },
  problems: rewardsProblems,
  handlers: (settings) => ({
    'customer.registered': [onCustomerRegistered(settings)],
    'installment.paid': [onInstallmentPaid],
    'installment.overpaid': [onInstallmentOverpaid],
    'installment.reopened': [onInstallmentReopened],
  }),
  auditor: rewardsAuditor,
  personalData: rewardsData,
  commands: ({ events, settings }) => [
    ...[cashbackShow, cashbackList, cashbackAdjust(events), referralList, referralAdd(settings)],
  ],
  open(deps) {
    const rewards = { ...deps, referral: deps.settings };
    return {
      front: [
        getWalletCashbackBalance(rewards),
        getWalletCashbackLedger(rewards),
        getWalletReferral(rewards),
        postWalletInstallmentsIdCashback(rewards),
      ],
      staff: [
        getAdminCashback(rewards),
        getAdminCashbackId(rewards),
        postAdminCashbackIdAdjust(rewards),
        getAdminReferrals(rewards),
        getAdminReferralsId(rewards),
        postAdminReferrals(rewards),
      ],
      tasks: rewardsTasks(deps),
      cron: REWARDS_CRON,
    };
  },
});
