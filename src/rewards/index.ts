import type { CustomerRegistered } from '#customers';
import type { Events, Listener, Reaction } from '#events';
import type { Clock } from '#platform/clock.ts';
import type { Command } from '#platform/command.ts';
import type { Db } from '#platform/db.ts';
import type { Endpoint } from '#platform/http/endpoint.ts';
import type { Task } from '#platform/jobs.ts';
import type { Log } from '#platform/log.ts';
import { cashbackAdjust } from './commands/cashback-adjust.ts';
import { referralAdd } from './commands/referral-add.ts';
import { expireCashback } from './expire-cashback.ts';
import { followPaidInstallment, followReopenedInstallment } from './follow-installment.ts';
import { getWalletCashbackBalance } from './http/get-wallet-cashback-balance.ts';
import { getWalletCashbackLedger } from './http/get-wallet-cashback-ledger.ts';
import { getWalletReferral } from './http/get-wallet-referral.ts';
import { type RewardPromise, recordInvitation } from './record-invitation.ts';
import { rewardInvitation, takeRewardBack } from './reward-invitation.ts';
import type { Rewards } from './rewards.ts';
import { findNewcomer } from './store/invitations.ts';

export { rewardsAuditor } from './audit.ts';
export { referralCodeUnknown, rewardsProblems } from './problems.ts';
export type { RewardPromise };

/** At the front door. */
export function rewardsEndpoints(rewards: Rewards): Endpoint[] {
  return [getWalletCashbackBalance(rewards), getWalletCashbackLedger(rewards), getWalletReferral(rewards)];
}

/** What is rewarded, in the transaction in which it happened. `promise`: for invitations made now. */
export function rewardsReactions(promise: () => RewardPromise): Reaction[] {
  return [
    { type: 'customer.registered', listener: recordReferral(promise) },
    { type: 'installment.paid', listener: followPaidInstallment },
    { type: 'installment.paid', listener: rewardInvitation },
    { type: 'installment.reopened', listener: followReopenedInstallment },
    { type: 'installment.reopened', listener: takeRewardBack },
  ];
}

const recordReferral =
  (promise: () => RewardPromise): Listener =>
  async (tx, { customerId, data, occurredAt }) => {
    const { invited_with: code } = data as CustomerRegistered;
    if (code === null) return;
    const invited = (await findNewcomer(tx, customerId!))!;
    await recordInvitation(tx, { invited, code, at: occurredAt }, promise());
  };

const EXPIRE = 'cashback_expire';

export const rewardsTasks = (given: {
  db: Db;
  clock: Clock;
  events: Events;
  log: Log;
}): Record<string, Task> => ({
  [EXPIRE]: async () => {
    const { customers } = await expireCashback(given);
    if (customers > 0) given.log.info({ customers }, 'expired cashback was written down');
  },
});

/** A little after every hour, one of which is midnight in São Paulo. */
export const REWARDS_CRON = [{ task: EXPIRE, match: '3 * * * *' }];

export const rewardsCommands = (events: Events): Command[] => [cashbackAdjust(events), referralAdd];
