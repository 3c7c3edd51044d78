import {
  isRewardEarned,
  MAX_REWARDS_PER_YEAR,
  REWARDS_PER_MERCHANT_DAYS,
  YEAR_DAYS,
} from '#core/finance/cashback.ts';
import { DAY_MS } from '#core/values/duration.ts';
import { maskName } from '#core/values/mask-name.ts';
import { centsToReais } from '#core/values/money.ts';
import { findDateMinimumPaid, findMostPaidMerchant } from '#credit';
import { findCustomerName, findReferralCodeOwner, lockCustomerById, referralCodeUnknown } from '#customers';
import type { EventContext, EventHandler } from '#events';
import { type CustomerTx, serializeForCustomer } from '#platform/database/customer-transaction.ts';
import { creditCashback, reverseCashback } from './cashback-account.ts';
import {
  alreadyInvited,
  invitationTooLate,
  invitedByOneself,
  invitedInCircle,
  rewardNotHeld,
} from './problems.ts';
import {
  countRewardsAtMerchant,
  findInvitation,
  findNextReward,
  findReferrer,
  hasInvited,
  holdReward,
  type InvitationRow,
  insertInvitation,
  lockReferrers,
  NO_REWARD,
  type RewardDecision,
  saveReward,
  saveRewardDecision,
} from './store/invitations.ts';

/** The promised rewards of both sides, and the amount that the invited customer must pay for them, in centavos. */
type ReferralReward = {
  readonly referrerCents: number;
  readonly invitedCents: number;
  readonly minPaidCents: number;
};

/** `rewardsPerMerchant` is the setting REWARDS_PER_MERCHANT. */
export type RewardContext = EventContext & { readonly rewardsPerMerchant: number };

/** The smallest payment. A customer who has paid at least this much can no longer be invited. */
const MIN_PAYMENT_CENTS = 1;

/** Records an invitation by the owner of a code, with the current rewards. Throws a problem if the invitation is not allowed. */
export async function recordInvitation(
  tx: CustomerTx,
  { invitedId, code, invitedAt }: { invitedId: string; code: string; invitedAt: Date },
  reward: ReferralReward,
): Promise<void> {
  // Serializes the invitation with payments of the invited customer.
  await lockCustomerById(tx, invitedId);
  await lockReferrers(tx);
  const referrerId = await findReferralCodeOwner(tx, normalizeReferralCode(code));
  if (!referrerId) throw referralCodeUnknown(code);
  if (referrerId === invitedId) throw invitedByOneself(code);
  if (await findReferrer(tx, invitedId)) throw alreadyInvited();
  if (await hasInvited(tx, { inviterId: invitedId, customerId: referrerId })) throw invitedInCircle();
  if (await findDateMinimumPaid(tx, invitedId, MIN_PAYMENT_CENTS)) throw invitationTooLate();
  const invitedName = maskName((await findCustomerName(tx, invitedId))!);
  await insertInvitation(tx, { referrerId, invitedId, invitedName, invitedAt, promisedReward: reward });
}

/** Records the invitation of a new customer who registered with a code. */
export const onCustomerRegistered =
  (getReward: () => ReferralReward): EventHandler<'customer.registered'> =>
  async (tx, { customerId, data, occurredAt }) => {
    const { invited_with: code } = data;
    if (code === null) return;
    await recordInvitation(tx, { invitedId: customerId, code, invitedAt: occurredAt }, getReward());
  };

/** Removes separators and converts to upper case, because people write codes in groups and in lower case. */
export function normalizeReferralCode(code: string): string {
  return code.replaceAll(/[\s.-]/g, '').toUpperCase();
}

/**
 * Updates the reward after the payments of a customer have changed, if the customer was invited. Credits both customers once enough was
 * paid in time, and reverses the credits when refunds or chargebacks reduce the payments below that amount. `referrerId` is undefined if
 * the customer was not invited.
 *
 * The caller has locked the invited customer. Locks the referrer after that. Invitations form no cycle, so this order cannot deadlock.
 */
export async function updateInvitationReward(
  tx: CustomerTx,
  customerId: string,
  referrerId: string | undefined,
  context: RewardContext,
): Promise<void> {
  if (referrerId === undefined) return;
  const invitation = await findInvitation(tx, referrerId, customerId);
  if (!invitation || invitation.reward_outcome === 'refused') return;
  const paidAt = await findDateMinimumPaid(tx, customerId, invitation.min_paid_cents);
  const isEarned = isRewardEarned(invitation.invited_at.getTime(), paidAt?.getTime() ?? null);
  if (isEarned === (invitation.rewarded_at !== null || invitation.held_at !== null)) return;
  await serializeForCustomer(tx, referrerId, async () => {
    await lockCustomerById(tx, referrerId);
    if (isEarned) await creditOrHoldReward(tx, invitation, paidAt!, context);
    else await reverseReward(tx, invitation, context);
  });
}

/** Credits a held reward, or refuses it for good, as a staff user decided. Throws a problem if the reward is not held. */
export async function decideHeldReward(
  tx: CustomerTx,
  { invitedId, referrerId, decision }: { invitedId: string; referrerId: string; decision: RewardDecision },
  context: EventContext,
): Promise<void> {
  // Serializes the decision with payments of the invited customer.
  await lockCustomerById(tx, invitedId);
  const invitation = await findInvitation(tx, referrerId, invitedId);
  if (!invitation?.held_at) throw rewardNotHeld();
  const paidAt = await findDateMinimumPaid(tx, invitedId, invitation.min_paid_cents);
  await serializeForCustomer(tx, referrerId, async () => {
    await lockCustomerById(tx, referrerId);
    await saveRewardDecision(tx, invitation, decision);
    if (decision === 'approved')
      await creditReward(tx, invitation, { causedAt: paidAt!, merchantId: invitation.merchant_id }, context);
  });
}

/** Credits the reward, or holds it if there were too many rewards for purchases at the same merchant, which indicates a ring of accounts. */
async function creditOrHoldReward(
  tx: CustomerTx,
  invitation: InvitationRow,
  causedAt: Date,
  { rewardsPerMerchant, ...context }: RewardContext,
): Promise<void> {
  const { referrer_id: referrerId, invited_id, reward_outcome } = invitation;
  const merchantId = (await findMostPaidMerchant(tx, invited_id)) ?? null;
  if (reward_outcome !== 'approved' && merchantId !== null) {
    const since = new Date(context.now.getTime() - REWARDS_PER_MERCHANT_DAYS * DAY_MS);
    const rewardCount = await countRewardsAtMerchant(tx, { referrerId, merchantId, since });
    if (rewardCount >= rewardsPerMerchant)
      return holdReward(tx, invitation, { merchantId, heldAt: context.now });
  }
  await creditReward(tx, invitation, { causedAt, merchantId }, context);
}

async function creditReward(
  tx: CustomerTx,
  invitation: InvitationRow,
  { causedAt, merchantId }: { causedAt: Date; merchantId: number | null },
  { events, now }: EventContext,
): Promise<void> {
  const { referrer_id, invited_id, invited_reward_cents: invitedCents } = invitation;
  const nextReward = await findNextReward(tx, referrer_id, now, YEAR_DAYS);
  const { rewarded_at: rewardedAt, previous_reward_count: previousRewardCount } = nextReward;
  const context = { events, now: rewardedAt };
  // The referrer gets nothing above the maximum number of rewards per year.
  const referrerCents = previousRewardCount < MAX_REWARDS_PER_YEAR ? invitation.referrer_reward_cents : 0;
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
    merchantId,
  });
  await emitReward(tx, referrer_id, 'referrer', referrerCents, context);
  await emitReward(tx, invited_id, 'invited', invitedCents, context);
}

async function reverseReward(tx: CustomerTx, invitation: InvitationRow, context: EventContext) {
  const { referrer_id, referrer_position, invited_id, invited_position } = invitation;
  const reverse = async (customerId: string, position: number | null, description: string) => {
    if (position === null) return;
    await reverseCashback(tx, { customerId, position, causedAt: context.now, description }, context);
  };
  await reverse(referrer_id, referrer_position, 'Estorno: indicação de amigo');
  await reverse(invited_id, invited_position, 'Estorno: boas-vindas por indicação');
  await saveReward(tx, invitation, NO_REWARD);
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
