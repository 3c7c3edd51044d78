import type { Events, Reaction } from '#events';
import type { Command } from '#platform/command.ts';
import type { Endpoint } from '#platform/http/endpoint.ts';
import { cashbackAdjust } from './commands/cashback-adjust.ts';
import { cashbackShow } from './commands/cashback-show.ts';
import { referralAdd } from './commands/referral-add.ts';
import { getWalletCashbackBalance } from './http/get-wallet-cashback-balance.ts';
import { getWalletCashbackLedger } from './http/get-wallet-cashback-ledger.ts';
import { getWalletReferral } from './http/get-wallet-referral.ts';
import { onFirstInstallment } from './on-first-installment.ts';
import { onInstallmentPaid, onInstallmentReopened } from './on-installment.ts';
import { onCustomerRegistered, type ReferralReward } from './record-invitation.ts';
import type { Rewards } from './rewards.ts';

export { rewardsAuditor } from './audit.ts';
export { REWARDS_CRON, rewardsTasks } from './jobs.ts';
export { referralCodeUnknown, rewardsProblems } from './problems.ts';
export type { ReferralReward };

/** At the front door. */
export function rewardsEndpoints(rewards: Rewards): Endpoint[] {
  return [getWalletCashbackBalance(rewards), getWalletCashbackLedger(rewards), getWalletReferral(rewards)];
}

/** What is rewarded, in the transaction in which it happened. `promise`: for invitations made now. */
export function rewardsReactions(promise: () => ReferralReward): Reaction[] {
  return [
    { type: 'customer.registered', listener: onCustomerRegistered(promise) },
    { type: 'installment.paid', listener: onInstallmentPaid },
    { type: 'installment.paid', listener: onFirstInstallment },
    { type: 'installment.reopened', listener: onInstallmentReopened },
    { type: 'installment.reopened', listener: onFirstInstallment },
  ];
}

export const rewardsCommands = (events: Events): Command[] => [
  cashbackShow,
  cashbackAdjust(events),
  referralAdd,
];
