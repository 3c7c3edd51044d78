import { isRewardDeserved, REWARDS_A_YEAR, YEAR_DAYS } from '#core/cashback.ts';
import { reaisOf } from '#core/money.ts';
import { findPaidOff } from '#credit';
import { lockCustomerById } from '#customers';
import type { EventContext } from '#events';
import { type CustomerTx, inTurn } from '#platform/database/customer-transaction.ts';
import { creditCashback, reverseCashback } from './cashback-account.ts';
import { findInvitation, findNextReward, type InvitationRow, markRewarded } from './store/invitations.ts';

/**
 * What an invited customer has paid has changed. Both sides are credited once enough was paid in time, and the credits are reversed
 * when refunds or chargebacks leave less than that.
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
  const paidOffAt = await findPaidOff(tx, customerId, invitation.min_paid_cents);
  const isDeserved = isRewardDeserved(invitation.invited_at.getTime(), paidOffAt?.getTime() ?? null);
  if (isDeserved === (invitation.rewarded_at !== null)) return;
  await inTurn(tx, referrerId, async () => {
    await lockCustomerById(tx, referrerId);
    if (isDeserved) await reward(tx, invitation, paidOffAt!, context);
    else await takeBack(tx, invitation, context);
  });
}

async function reward(
  tx: CustomerTx,
  invitation: InvitationRow,
  causedAt: Date,
  { events, now }: EventContext,
): Promise<void> {
  const { referrer_id, invited_id, invited_reward_cents: invitedCents } = invitation;
  const { at, before } = await findNextReward(tx, referrer_id, now, YEAR_DAYS);
  const context = { events, now: at };
  // The promised amount, or nothing after so many within a year.
  const referrerCents = before < REWARDS_A_YEAR ? invitation.referrer_reward_cents : 0;
  const credit = async (customerId: string, amountCents: number, description: string) => {
    const movement = { customerId, kind: 'referral', causedAt, description, amountCents } as const;
    return amountCents > 0 ? creditCashback(tx, movement, context) : null;
  };
  const referrerPosition = await credit(referrer_id, referrerCents, 'Indicação de amigo');
  const invitedPosition = await credit(invited_id, invitedCents, 'Boas-vindas por indicação');
  await markRewarded(tx, invitation, {
    rewardedAt: at,
    rewardCents: referrerCents,
    referrerPosition,
    invitedPosition,
  });
  await emitChanges(tx, referrer_id, 'referrer', referrerCents, context);
  await emitChanges(tx, invited_id, 'invited', invitedCents, context);
}

async function takeBack(tx: CustomerTx, invitation: InvitationRow, context: EventContext): Promise<void> {
  const { referrer_id, referrer_position, invited_id, invited_position } = invitation;
  const reverse = async (customerId: string, position: number | null, description: string) => {
    if (position === null) return;
    await reverseCashback(tx, { customerId, position, causedAt: context.now, description }, context);
  };
  await reverse(referrer_id, referrer_position, 'Estorno: indicação de amigo');
  await reverse(invited_id, invited_position, 'Estorno: boas-vindas por indicação');
  await markRewarded(tx, invitation, null);
}

async function emitChanges(
  tx: CustomerTx,
  customerId: string,
  role: 'referrer' | 'invited',
  rewardCents: number,
  { events, now }: EventContext,
): Promise<void> {
  const data = { role, reward: reaisOf(rewardCents) };
  await events.emit(tx, { type: 'referral.rewarded', customerId, data }, now);
}
