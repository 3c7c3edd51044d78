import type { Static } from 'typebox';
import { findCustomerId, findCustomerName, referralCodeUnknown } from '#customers';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { listEndpoint } from '#platform/http/list.ts';
import {
  type AuditContext,
  createAuditContext,
  recordAuditEntry,
  withAuditedUpdate,
} from '#platform/privacy/audit-trail.ts';
import { notFound } from '#platform/problem.ts';
import { decideHeldReward, recordInvitation } from '../invitations.ts';
import {
  alreadyInvited,
  invitationTooLate,
  invitedByOneself,
  invitedInCircle,
  rewardNotHeld,
} from '../problems.ts';
import { invitationList } from '../reading-store.ts';
import { createInvitationAuditEntity, findInvitationForStaff, renderInvitationForStaff } from '../render.ts';
import { CustomerIdParams, ReferralOrder, RewardDecisionForm, StaffReferral } from '../schemas.ts';
import type { RewardsDeps } from '../settings.ts';
import { findReferrer, type RewardDecision } from '../store/invitations.ts';

/** Path parameters and 404 text of the endpoints for the invitation of one customer. */
const invitedRoute = {
  params: CustomerIdParams,
  notFound: { en: 'This customer was not invited.', pt: 'Ninguém convidou este cliente.' },
};

export const getAdminReferrals = (deps: RewardsDeps) =>
  listEndpoint('GET /admin/referrals', deps, invitationList, {
    id: 'listReferrals',
    summary: 'List invitations',
    cli: { columns: 'invited_at, referrer_id, invited_id, status, reward' },
    page: 'A page of invitations.',
    item: StaffReferral,
    render: (rows) => rows.map(renderInvitationForStaff),
  });

export const postAdminReferrals = ({ db, clock, referralSettings }: RewardsDeps) =>
  endpoint('POST /admin/referrals', {
    access: { scope: 'operator', role: 'finance' },
    id: 'addReferral',
    summary: 'Record the referrer of a registered customer',
    description:
      'For customers who forgot the code when they registered. They must not have paid anything yet. The 90 days start now. The ' +
      'invitation cannot be undone.',
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
      const auditContext = createAuditContext(request, now);
      const invitedId = await findCustomerId(db, customer);
      if (invitedId === undefined || (await findCustomerName(db, invitedId)) === undefined)
        throw notFound({
          en: `There is no customer '${customer}'.`,
          pt: `O cliente '${customer}' não existe.`,
        });
      return customerTransaction(db, invitedId, async (tx) => {
        await recordInvitation(tx, { invitedId, code, invitedAt: now }, referralSettings);
        const referralView = (await findInvitationForStaff(tx, invitedId, now))!;
        await recordAuditEntry(tx, auditContext, { kind: 'referral', id: invitedId }, referralView);
        return referralView;
      });
    },
  });

export const getAdminReferralsId = ({ db, clock }: RewardsDeps) =>
  endpoint('GET /admin/referrals/:id', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getReferralOfCustomer',
    summary: 'Get the invitation of a customer',
    ...invitedRoute,
    responses: { 200: { description: 'The invitation.', schema: StaffReferral } },
    async handler(request) {
      const id = await findCustomerId(db, request.params.id);
      const referral = id === undefined ? undefined : await findInvitationForStaff(db, id, clock.now());
      if (!referral) throw request.notFound();
      return referral;
    },
  });

export const postAdminReferralsIdApprove = (deps: RewardsDeps) =>
  endpoint('POST /admin/referrals/:id/approve', {
    access: { scope: 'operator', role: 'risk' },
    id: 'approveReferralReward',
    summary: 'Credit a reward that waits',
    description:
      'Credits both customers. A reward waits if the referrer and the customers who invited the referrer, directly or through others, ' +
      'got `REWARDS_PER_MERCHANT` rewards in 30 days for purchases at the same merchant.',
    ...invitedRoute,
    cli: {
      confirm: 'This credits the reward of the invitation of {id}.',
      done: 'The reward is credited.',
    },
    responses: { 200: { description: 'The invitation.', schema: StaffReferral } },
    problems: [rewardNotHeld],
    handler(request) {
      const auditContext = createAuditContext(request, deps.clock.now());
      return decideReward(deps, request.params.id, 'approved', auditContext);
    },
  });

export const postAdminReferralsIdRefuse = (deps: RewardsDeps) =>
  endpoint('POST /admin/referrals/:id/refuse', {
    access: { scope: 'operator', role: 'risk' },
    id: 'refuseReferralReward',
    summary: 'Refuse a reward that waits',
    description: 'Neither customer is credited for this invitation, now or later.',
    ...invitedRoute,
    body: RewardDecisionForm,
    cli: {
      confirm: 'This refuses the reward of the invitation of {id} for good.',
      done: 'The reward is refused.',
    },
    responses: { 200: { description: 'The invitation.', schema: StaffReferral } },
    problems: [rewardNotHeld],
    handler(request) {
      const auditContext = createAuditContext(request, deps.clock.now(), request.body.reason);
      return decideReward(deps, request.params.id, 'refused', auditContext);
    },
  });

/** Decides on a held reward. Returns undefined, to which the endpoint responds 404, if the customer was not invited. */
async function decideReward(
  { db, clock, events }: RewardsDeps,
  customer: string,
  decision: RewardDecision,
  auditContext: AuditContext,
): Promise<Static<typeof StaffReferral> | undefined> {
  const now = clock.now();
  const invitedId = await findCustomerId(db, customer);
  const referrerId = invitedId === undefined ? undefined : await findReferrer(db, invitedId);
  if (invitedId === undefined || referrerId === undefined) return undefined;
  return customerTransaction(db, invitedId, (tx) =>
    withAuditedUpdate(tx, auditContext, { entity: createInvitationAuditEntity(now), id: invitedId }, () =>
      decideHeldReward(tx, { invitedId, referrerId, decision }, { events, now }),
    ),
  );
}
