import { maskName } from '#core/cashback.ts';
import { findFirstSettled, lockCustomerById } from '#credit';
import { referralCodeUnknown } from '#customers';
import type { EventHandler } from '#events';
import type { Tx } from '#platform/db.ts';
import { alreadyInvited, invitationTooLate, invitedByOneself, invitedInCircle } from './problems.ts';
import {
  type Customer,
  findCodeOwner,
  findCustomer,
  findReferrer,
  insertInvitation,
  isAbove,
  lockReferrers,
} from './store/invitations.ts';

/** What each side is promised, in centavos. */
export type ReferralReward = { readonly referrerCents: number; readonly invitedCents: number };

/**
 * A customer was invited by the owner of a code. What is promised now is what they get. Throws a problem when the invitation
 * cannot count.
 */
export async function recordInvitation(
  tx: Tx,
  { invited, code, at }: { invited: Customer; code: string; at: Date },
  promise: ReferralReward,
): Promise<void> {
  // A first installment is settled wholly before this, or wholly after it.
  await lockCustomerById(tx, invited.id);
  await lockReferrers(tx);
  const referrerId = await findCodeOwner(tx, readCode(code));
  if (!referrerId) throw referralCodeUnknown(`Nobody has the referral code '${code}'.`);
  if (referrerId === invited.id) throw invitedByOneself(`'${code}' is this customer's own referral code.`);
  if (await findReferrer(tx, invited.id)) throw alreadyInvited('Somebody has invited this customer already.');
  if (await isAbove(tx, invited.id, referrerId))
    throw invitedInCircle('The owner of the code came through this customer.');
  if (await findFirstSettled(tx, invited.id))
    throw invitationTooLate('This customer has settled an installment already.');
  await insertInvitation(tx, {
    ...{ referrerId, invitedId: invited.id, invitedName: maskName(invited.name), invitedAt: at },
    promise,
  });
}

/** A new customer came with a code. */
export const onCustomerRegistered =
  (promise: () => ReferralReward): EventHandler<'customer.registered'> =>
  async (tx, { customerId, data, occurredAt }) => {
    const { invited_with: code } = data;
    if (code === null) return;
    const invited = (await findCustomer(tx, customerId!))!;
    await recordInvitation(tx, { invited, code, at: occurredAt }, promise());
  };

/** As people say and write it: in small letters, in groups. */
function readCode(code: string): string {
  return code.replaceAll(/[\s.-]/g, '').toUpperCase();
}
