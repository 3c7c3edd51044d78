import { maskName } from '#core/mask-name.ts';
import { findPaidOff } from '#credit';
import { findCodeOwner, findName, lockCustomerById, referralCodeUnknown } from '#customers';
import type { EventHandler } from '#events';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { alreadyInvited, invitationTooLate, invitedByOneself, invitedInCircle } from './problems.ts';
import { findReferrer, insertInvitation, isAbove, lockReferrers } from './store/invitations.ts';

/** What each side is promised, and what the invited must pay for it, in centavos. */
export type ReferralReward = {
  readonly referrerCents: number;
  readonly invitedCents: number;
  readonly minPaidCents: number;
};

/** Records an invitation by the owner of a code. The current promise holds. Throws a problem when the invitation cannot count. */
export async function recordInvitation(
  tx: CustomerTx,
  { invitedId, code, at }: { invitedId: string; code: string; at: Date },
  promise: ReferralReward,
): Promise<void> {
  // A payment comes wholly before this, or wholly after it.
  await lockCustomerById(tx, invitedId);
  await lockReferrers(tx);
  const referrerId = await findCodeOwner(tx, readCode(code));
  if (!referrerId) throw referralCodeUnknown(code);
  if (referrerId === invitedId) throw invitedByOneself(code);
  if (await findReferrer(tx, invitedId)) throw alreadyInvited();
  if (await isAbove(tx, invitedId, referrerId)) throw invitedInCircle();
  if (await findPaidOff(tx, invitedId, 1)) throw invitationTooLate();
  const invitedName = maskName((await findName(tx, invitedId))!);
  await insertInvitation(tx, { referrerId, invitedId, invitedName, invitedAt: at, promise });
}

/** A new customer signed up with a code. */
export const onCustomerRegistered =
  (promise: () => ReferralReward): EventHandler<'customer.registered'> =>
  async (tx, { customerId, data, occurredAt }) => {
    const { invited_with: code } = data;
    if (code === null) return;
    await recordInvitation(tx, { invitedId: customerId, code, at: occurredAt }, promise());
  };

/** Normalizes how people write it: in lower case, in groups. */
export function readCode(code: string): string {
  return code.replaceAll(/[\s.-]/g, '').toUpperCase();
}
