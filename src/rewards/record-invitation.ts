import { maskName } from '#core/values/mask-name.ts';
import { findMinPaidDate } from '#credit';
import { findCustomerName, findReferralCodeOwner, lockCustomerById, referralCodeUnknown } from '#customers';
import type { EventHandler } from '#events';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { alreadyInvited, invitationTooLate, invitedByOneself, invitedInCircle } from './problems.ts';
import { findReferrer, insertInvitation, isReferrerAbove, lockReferrers } from './store/invitations.ts';

/** The promised rewards of both sides, and the amount that the invited customer must pay for them, in centavos. */
type ReferralReward = {
  readonly referrerCents: number;
  readonly invitedCents: number;
  readonly minPaidCents: number;
};

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
  if (await isReferrerAbove(tx, invitedId, referrerId)) throw invitedInCircle();
  if (await findMinPaidDate(tx, invitedId, 1)) throw invitationTooLate();
  const invitedName = maskName((await findCustomerName(tx, invitedId))!);
  await insertInvitation(tx, { referrerId, invitedId, invitedName, invitedAt, promise: reward });
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
