import { findCustomerId, findName, referralCodeUnknown } from '#customers';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { changeBy, recordCreation } from '#platform/privacy/trail.ts';
import { notFound } from '#platform/problem.ts';
import { alreadyInvited, invitationTooLate, invitedByOneself, invitedInCircle } from '../problems.ts';
import { recordInvitation } from '../record-invitation.ts';
import { showReferral } from '../render-staff.ts';
import type { Rewards } from '../rewards.ts';
import { ReferralOrder, StaffReferral } from '../schemas.ts';

export const postAdminReferrals = ({ db, clock, referral }: Rewards) =>
  endpoint('POST /admin/referrals', {
    access: { scope: 'operator', role: 'finance' },
    id: 'addReferral',
    summary: 'Write down who invited a customer who is registered already',
    description:
      'For customers who forgot the code when they registered, and have settled no installment yet; the 90 days begin now. It is for ' +
      'good.',
    body: ReferralOrder,
    answers: { 201: { description: 'The invitation.', schema: StaffReferral } },
    problems: [
      alreadyInvited,
      invitationTooLate,
      invitedByOneself,
      invitedInCircle,
      referralCodeUnknown,
      notFound,
    ],
    async handler(request) {
      const { customer, code } = request.body;
      const now = clock.now();
      const change = changeBy(request, now);
      const invitedId = await findCustomerId(db, customer);
      if (invitedId === undefined || (await findName(db, invitedId)) === undefined)
        throw notFound({
          en: `There is no customer '${customer}'.`,
          pt: `O cliente '${customer}' não existe.`,
        });
      return customerTransaction(db, invitedId, async (tx) => {
        await recordInvitation(tx, { invitedId, code, at: now }, referral);
        const shown = (await showReferral(tx, invitedId, now))!;
        await recordCreation(tx, change, { kind: 'referral', id: invitedId }, shown);
        return shown;
      });
    },
  });
