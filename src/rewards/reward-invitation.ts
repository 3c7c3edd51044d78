import { lastDayToReward, REWARDS_A_YEAR } from '#core/cashback.ts';
import { saoPauloDay } from '#core/day.ts';
import { cents, toReais } from '#core/money.ts';
import { hasSettled, type InstallmentPaid, lockBuyer } from '#credit';
import type { Listener } from '#events';
import type { Tx } from '#platform/db.ts';
import { creditCashback, type Given, reverseCashback } from './cashback-account.ts';
import { countRewards, findInvitation, type InvitationRow, markRewarded } from './store/invitations.ts';

const YEAR_MS = 365 * 86_400_000;

/**
 * An invited customer settled an installment: if it is the first within the time, both are credited. The invited is locked
 * already; whoever invited is locked after the invited. Invitations make no circle, so nobody waits in one.
 */
export const rewardInvitation: Listener = async (tx, { customerId, data, occurredAt }, events) => {
  const invitation = await findInvitation(tx, customerId!);
  if (!invitation || invitation.rewarded_at !== null) return;
  const paidAt = new Date((data as InstallmentPaid).paid_at);
  const lastDay = lastDayToReward(invitation.invited_at.getTime());
  if (saoPauloDay(paidAt.getTime()) > lastDay) return;
  const given = { events, now: occurredAt };
  const { referrer_id: referrerId, invited_reward_cents: invitedCents } = invitation;
  await lockBuyer(tx, referrerId);
  const referrerCents = await rewardOf(tx, invitation, occurredAt);
  const shared = { kind: 'referral', causedAt: paidAt } as const;
  const referrerPosition = await creditIfAny(
    tx,
    { ...shared, customerId: referrerId, description: `Indicação de ${invitation.invited_name}` },
    referrerCents,
    given,
  );
  const invitedPosition = await creditIfAny(
    tx,
    { ...shared, customerId: customerId!, description: 'Boas-vindas por indicação' },
    invitedCents,
    given,
  );
  await markRewarded(
    tx,
    { referrerId, invitedId: customerId! },
    { rewardedAt: occurredAt, rewardCents: referrerCents, referrerPosition, invitedPosition },
  );
  await tell(tx, referrerId, { role: 'referrer', invited: invitation.invited_name }, referrerCents, given);
  await tell(tx, customerId!, { role: 'invited' }, invitedCents, given);
};

/** An invited customer has no settled installment left: what both were credited with is taken back, and can be earned anew. */
export const takeRewardBack: Listener = async (tx, { customerId, occurredAt }, events) => {
  const invitation = await findInvitation(tx, customerId!);
  if (!invitation || invitation.rewarded_at === null || (await hasSettled(tx, customerId!))) return;
  const given = { events, now: occurredAt };
  const { referrer_id: referrerId, referrer_position, invited_position } = invitation;
  await lockBuyer(tx, referrerId);
  const shared = { causedAt: occurredAt, description: 'Estorno: indicação sem parcela paga' };
  if (referrer_position !== null) {
    const credited = { ...shared, customerId: referrerId, position: referrer_position };
    await reverseCashback(tx, credited, given);
  }
  if (invited_position !== null) {
    const credited = { ...shared, customerId: customerId!, position: invited_position };
    await reverseCashback(tx, credited, given);
  }
  await markRewarded(tx, { referrerId, invitedId: customerId! }, null);
};

/** What whoever invited gets: what was promised, or nothing after so many within a year. */
async function rewardOf(tx: Tx, invitation: InvitationRow, now: Date): Promise<number> {
  const aYearAgo = new Date(now.getTime() - YEAR_MS);
  const rewards = await countRewards(tx, invitation.referrer_id, aYearAgo);
  return rewards < REWARDS_A_YEAR ? invitation.referrer_reward_cents : 0;
}

async function tell(
  tx: Tx,
  customerId: string,
  about: { role: 'referrer'; invited: string } | { role: 'invited' },
  rewardCents: number,
  { events, now }: Given,
): Promise<void> {
  const data = { ...about, reward: toReais(cents(rewardCents)) };
  await events.emit(tx, { type: 'referral.rewarded', customerId, checkoutHash: null, data }, now);
}

async function creditIfAny(
  tx: Tx,
  movement: Omit<Parameters<typeof creditCashback>[1], 'amountCents'>,
  amountCents: number,
  given: Given,
): Promise<number | null> {
  return amountCents > 0 ? creditCashback(tx, { ...movement, amountCents }, given) : null;
}
