import { renderSession } from '#customers';
import { endpoint } from '#platform/http/endpoint.ts';
import { ListOf } from '#platform/http/schemas.ts';
import type { Members } from '../members.ts';
import { MemberSession, ofMember } from '../schemas.ts';
import { listOpenSessions } from '../sessions.ts';
import { findMember } from '../store.ts';

export const getMerchantMembersIdSessions = ({ db, clock }: Members) =>
  endpoint('GET /merchant/members/:id/sessions', {
    access: { scope: 'till', member: 'owner' },
    id: 'listMemberSessions',
    summary: 'Where a member is signed in',
    description: 'Sessions that can be used, the last used first: one a device.',
    ...ofMember,
    answers: {
      200: { description: 'The sessions.', schema: ListOf(MemberSession, { $id: 'MemberSessionList' }) },
    },
    async handler({ params, caller }) {
      const member = await findMember(db, params.id);
      if (member?.merchant_id !== caller.merchantId || member.removed_at) return undefined;
      const sessions = await listOpenSessions(db, member.id, clock.now());
      const data = sessions.map((row) => {
        const { id, ...times } = renderSession(row);
        return { id, is_current: id === caller.sessionId, ...times };
      });
      return { data };
    },
  });
