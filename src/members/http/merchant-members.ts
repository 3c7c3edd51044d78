import { endSession, renderSessions } from '#customers';
import { endpoint } from '#platform/http/endpoint.ts';
import { createOnce } from '#platform/http/idempotency.ts';
import { ListOf } from '#platform/http/schemas.ts';
import { createMemberAuditContext, recordAuditEntry } from '#platform/privacy/audit-trail.ts';
import { addMember, changeMember, type MembersDeps, removeMember, renderMember } from '../members.ts';
import { lastOwner, memberExists } from '../problems.ts';
import {
  Member,
  MemberChange,
  MemberForm,
  MemberSession,
  MemberSessionParams,
  MerchantMe,
  memberParamsAndNotFound,
} from '../schemas.ts';
import { deleteSessionAddress, memberPrincipal } from '../sessions.ts';
import { renderMemberships, renderMerchant } from '../sign-in.ts';
import { findMember, listMembers } from '../store.ts';

export const getMerchantMe = (deps: MembersDeps) =>
  endpoint('GET /merchant/me', {
    access: { scope: 'merchant', memberRole: 'clerk' },
    id: 'getMerchantMe',
    summary: 'Get the logged-in member and merchant',
    responses: { 200: { description: 'The member and the merchant.', schema: MerchantMe } },
    async handler({ caller }) {
      // A merchant key acts without a member.
      const row = caller.memberId === '' ? undefined : await findMember(deps.db, caller.memberId);
      if (row) return renderMemberships(deps, row);
      return { member: null, merchant: await renderMerchant(deps, caller.merchantId), merchants: [] };
    },
  });

/** A range that includes all members of a merchant. */
const ALL_MEMBERS = { offset: 0, limit: 1_000 };

export const getMerchantMembers = ({ db }: MembersDeps) =>
  endpoint('GET /merchant/members', {
    access: { scope: 'till', memberRole: 'owner' },
    id: 'listMembers',
    summary: 'List the members of your merchant',
    responses: { 200: { description: 'The members, oldest first.', schema: ListOf(Member) } },
    async handler({ caller }) {
      const filter = { merchantId: caller.merchantId, includeRemoved: false };
      const { rows } = await listMembers(db, filter, ALL_MEMBERS);
      return { data: rows.map((row) => renderMember(db.vault, row)) };
    },
  });

export const postMerchantMembers = ({ db, clock }: MembersDeps) =>
  endpoint('POST /merchant/members', {
    access: { scope: 'till', memberRole: 'owner' },
    id: 'addMember',
    summary: 'Add a member to your merchant',
    description: 'The member logs in with a code sent to the phone.',
    idempotent: true,
    body: MemberForm,
    responses: { 201: { description: 'The member.', schema: Member } },
    problems: [memberExists, lastOwner], // the first member must be an owner
    handler(request, reply) {
      const now = clock.now();
      const { merchantId } = request.caller;
      return createOnce(
        db,
        { request, reply, now },
        (tx) => addMember(tx, merchantId, request.body, createMemberAuditContext(request, now)),
        [merchantId, request.body],
      );
    },
  });

export const patchMerchantMembersId = ({ db, clock }: MembersDeps) =>
  endpoint('PATCH /merchant/members/:id', {
    access: { scope: 'till', memberRole: 'owner' },
    id: 'changeMember',
    summary: 'Change a member',
    description:
      'Changes only the fields that are sent. Takes effect with the next request of the member. The phone cannot be changed: remove the ' +
      'member and add a new one.',
    ...memberParamsAndNotFound,
    body: MemberChange,
    responses: { 200: { description: 'The member.', schema: Member } },
    problems: [lastOwner],
    handler(request) {
      const memberKey = { merchantId: request.caller.merchantId, id: request.params.id };
      const auditContext = createMemberAuditContext(request, clock.now());
      return db.transaction((tx) => changeMember(tx, memberKey, request.body, auditContext));
    },
  });

export const deleteMerchantMembersId = ({ db, clock, signIn }: MembersDeps) =>
  endpoint('DELETE /merchant/members/:id', {
    access: { scope: 'till', memberRole: 'owner' },
    id: 'removeMember',
    summary: 'Remove a member from your merchant',
    description: "Ends the member's sessions immediately. Past sales still show the member's name.",
    ...memberParamsAndNotFound,
    responses: { 204: { description: 'The member is removed.' } },
    problems: [lastOwner],
    async handler(request) {
      const memberKey = { merchantId: request.caller.merchantId, id: request.params.id };
      const auditContext = createMemberAuditContext(request, clock.now());
      const removedMember = await db.transaction((tx) => removeMember(tx, signIn, memberKey, auditContext));
      if (!removedMember) throw request.notFound();
    },
  });

export const getMerchantMembersIdSessions = ({ db, clock }: MembersDeps) =>
  endpoint('GET /merchant/members/:id/sessions', {
    access: { scope: 'till', memberRole: 'owner' },
    id: 'listMemberSessions',
    summary: 'List the sessions of a member',
    description: 'Lists active sessions, one per device, the most recently refreshed first.',
    ...memberParamsAndNotFound,
    responses: {
      200: { description: 'The sessions.', schema: ListOf(MemberSession, { $id: 'MemberSessionList' }) },
    },
    async handler(request) {
      const member = await findMember(db, request.params.id);
      if (member?.merchant_id !== request.caller.merchantId || member.removed_at) throw request.notFound();
      const sessions = await memberPrincipal.sessions.listOpen(db, member.id, clock.now());
      return renderSessions(sessions, request.caller);
    },
  });

export const deleteMerchantMembersIdSessionsSession = ({ db, clock, signIn }: MembersDeps) =>
  endpoint('DELETE /merchant/members/:id/sessions/:session', {
    access: { scope: 'till', memberRole: 'owner' },
    id: 'endMemberSession',
    summary: 'End a session of a member',
    description: "Revokes the session's tokens immediately. Idempotent.",
    params: MemberSessionParams,
    notFound: {
      en: 'The member has no session with this id.',
      pt: 'Essa pessoa não tem sessão com este id.',
    },
    responses: { 204: { description: 'The session has ended.' } },
    async handler(request) {
      const { id, session: sessionId } = request.params;
      const auditContext = createMemberAuditContext(request, clock.now());
      await db.transaction(async (tx) => {
        const member = await findMember(tx, id);
        const isOwnMember = member?.merchant_id === request.caller.merchantId;
        const sessionRow = isOwnMember && (await memberPrincipal.sessions.lock(tx, id, sessionId));
        if (!sessionRow) throw request.notFound();
        if (sessionRow.ended_at) return;
        await endSession(tx, signIn, { principalId: id, sessionId }, 'logout', auditContext.now);
        // The owner does not trust the session: codes requested from its address get the limits of an unknown address again.
        await deleteSessionAddress(tx, id, sessionId);
        await recordAuditEntry(tx, auditContext, { kind: 'member', id }, { ended_session: sessionId });
      });
    },
  });
