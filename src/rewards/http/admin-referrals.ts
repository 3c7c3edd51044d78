import { findCustomerId, findCustomerName, referralCodeUnknown } from '#customers';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { listEndpoint } from '#platform/http/list.ts';
import { auditContextFor, recordAuditEntry } from '#platform/privacy/audit-trail.ts';
import { notFound } from '#platform/problem.ts';
import { recordInvitation } from '../invitations.ts';
import { alreadyInvited, invitationTooLate, invitedByOneself, invitedInCircle } from '../problems.ts';
import { findStaffReferral, renderStaffReferral } from '../render.ts';
import { CashbackParams, ReferralOrder, StaffReferral } from '../schemas.ts';
import type { RewardsDeps } from '../settings.ts';
import { referralList } from '../staff-store.ts';

export const getAdminReferrals = (rewards: RewardsDeps) =>
  listEndpoint('GET /admin/referrals', rewards, referralList, {
    id: 'listReferrals',
    summary: 'List invitations',
    cli: {
      columns: {
        WHEN: 'invited_at',
        REFERRER: 'referrer_id',
        INVITED: 'invited_id',
        STATUS: 'status',
        REWARD: 'reward',
      },
    },
    page: 'A page of invitations.',
    item: StaffReferral,
    render: (rows) => rows.map(renderStaffReferral),
  });

export const postAdminReferrals = ({ db, clock, referral }: RewardsDeps) =>
  endpoint('POST /admin/referrals', {
    access: { scope: 'operator', role: 'finance' },
    id: 'addReferral',
    summary: 'Record the referrer of a registered customer',
    description:
      'For customers who forgot the code when they registered. They must not have paid anything yet. The 90 days start now. It cannot ' +
      'be undone.',
    body: ReferralOrder,
    cli: { done: '{invited_id} was invited by {referrer_id}.' },
    responses: { 201: { description: 'The invitation.', schema: StaffReferral } },
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
      const auditContext = auditContextFor(request, now);
      const invitedId = await findCustomerId(db, customer);
      if (invitedId === undefined || (await findCustomerName(db, invitedId)) === undefined)
        throw notFound({
          en: `There is no customer '${customer}'.`,
          pt: `O cliente '${customer}' não existe.`,
        });
      return customerTransaction(db, invitedId, async (tx) => {
        await recordInvitation(tx, { invitedId, code, invitedAt: now }, referral);
        const rendered = (await findStaffReferral(tx, invitedId, now))!;
        await recordAuditEntry(tx, auditContext, { kind: 'referral', id: invitedId }, rendered);
        return rendered;
      });
    },
  });

export const getAdminReferralsId = ({ db, clock }: RewardsDeps) =>
  endpoint('GET /admin/referrals/:id', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getReferralOfCustomer',
    summary: 'Get the invitation of a customer',
    params: CashbackParams,
    notFound: { en: 'This customer was not invited.', pt: 'Ninguém convidou este cliente.' },
    responses: { 200: { description: 'The invitation.', schema: StaffReferral } },
    async handler(request) {
      const id = await findCustomerId(db, request.params.id);
      const referral = id === undefined ? undefined : await findStaffReferral(db, id, clock.now());
      if (!referral) throw request.notFound();
      return referral;
    },
  });
