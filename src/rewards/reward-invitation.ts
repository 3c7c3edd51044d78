import { isRewardEarned, MAX_REWARDS_PER_YEAR, YEAR_DAYS } from '#core/finance/cashback.ts';
import { centsToReais } from '#core/values/money.ts';
import { findMinPaidDate } from '#credit';
import { lockCustomerById } from '#customers';
import type { EventContext } from '#events';
import { type CustomerTx, serializeForCustomer } from '#platform/database/customer-transaction.ts';
import { creditCashback, reverseCashback } from './cashback-account.ts';
import {
  clearReward,
  findInvitation,
  findNextReward,
  type InvitationRow,
  saveReward,
} from './store/invitations.ts';

/**
 * Updates the reward after the payments of an invited customer have changed. Credits both sides once enough was paid in time, and
 * reverses the credits when refunds or chargebacks reduce the payments below that.
 *
 * The caller has locked the invited customer; the referrer is locked after that. Invitations form no cycle, so this order cannot
 * deadlock.
 */
export async function rewardInvitation(
  tx: CustomerTx,
  customerId: string,
  referrerId: string,
  context: EventContext,
): Promise<void> {
  const invitation = await findInvitation(tx, referrerId, customerId);
  if (!invitation) return;
  const paidAt = await findMinPaidDate(tx, customerId, invitation.min_paid_cents);
  const isEarned = isRewardEarned(invitation.invited_at.getTime(), paidAt?.getTime() ?? null);
  if (isEarned === (invitation.rewarded_at !== null)) return;
  await serializeForCustomer(tx, referrerId, async () => {
    await lockCustomerById(tx, referrerId);
    if (isEarned) await creditReward(tx, invitation, paidAt!, context);
    else await reverseReward(tx, invitation, context);
  });
}

async function creditReward(
  tx: CustomerTx,
  invitation: InvitationRow,
  causedAt: Date,
  { events, now }: EventContext,
): Promise<void> {
  const { referrer_id, invited_id, invited_reward_cents: invitedCents } = invitation;
  const { at: rewardedAt, before: rewardsBefore } = await findNextReward(tx, referrer_id, now, YEAR_DAYS);
  const context = { events, now: rewardedAt };
  // The referrer gets nothing above the maximum number of rewards per year.
  const referrerCents = rewardsBefore < MAX_REWARDS_PER_YEAR ? invitation.referrer_reward_cents : 0;
  const credit = async (customerId: string, amountCents: number, description: string) => {
    const movement = { customerId, kind: 'referral', causedAt, description, amountCents } as const;
    return amountCents > 0 ? creditCashback(tx, movement, context) : null;
  };
  const referrerPosition = await credit(referrer_id, referrerCents, 'Indicação de amigo');
  const invitedPosition = await credit(invited_id, invitedCents, 'Boas-vindas por indicação');
  await saveReward(tx, invitation, {
    rewardedAt,
    rewardCents: referrerCents,
    referrerPosition,
    invitedPosition,
  });
  await emitReward(tx, referrer_id, 'referrer', referrerCents, context);
  await emitReward(tx, invited_id, 'invited', invitedCents, context);
}

async function reverseReward(
  tx: CustomerTx,
  invitation: InvitationRow,
  context: EventContext,
): Promise<void> {
  const { referrer_id, referrer_position, invited_id, invited_position } = invitation;
  const reverse = async (customerId: string, position: number | null, description: string) => {
    if (position === null) return;
    await reverseCashback(tx, { customerId, position, causedAt: context.now, description }, context);
  };
  await reverse(referrer_id, referrer_position, 'Estorno: indicação de amigo');
  await reverse(invited_id, invited_position, 'Estorno: boas-vindas por indicação');
  await clearReward(tx, invitation);
}

async function emitReward(
  tx: CustomerTx,
  customerId: string,
  role: 'referrer' | 'invited',
  rewardCents: number,
  { events, now }: EventContext,
): Promise<void> {
  const data = { role, reward: centsToReais(rewardCents) };
  await events.emit(tx, { type: 'referral.rewarded', customerId, data }, now);
}
