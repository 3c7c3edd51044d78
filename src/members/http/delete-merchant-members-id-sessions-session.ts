import { endpoint } from '#platform/http/endpoint.ts';
import { changeByMember, recordCreation } from '#platform/privacy/trail.ts';
import type { Members } from '../members.ts';
import { MemberSessionParams } from '../schemas.ts';
import { endSession, memberHolders } from '../sessions.ts';
import { findMember } from '../store.ts';

export const deleteMerchantMembersIdSessionsSession = ({ db, clock, signIn }: Members) =>
  endpoint('DELETE /merchant/members/:id/sessions/:session', {
    access: { scope: 'till', member: 'owner' },
    id: 'endMemberSession',
    summary: 'Sign a member out on one device',
    description: 'Its tokens are refused from now on, everywhere. Ending it again changes nothing.',
    params: MemberSessionParams,
    notFound: {
      en: 'The member has no session with this id.',
      pt: 'Essa pessoa não tem sessão com este id.',
    },
    answers: { 204: { description: 'The session is over.' } },
    async handler(request) {
      const { id, session } = request.params;
      const change = changeByMember(request, clock.now());
      const isKnown = await db.transaction(async (tx) => {
        const member = await findMember(tx, id);
        if (member?.merchant_id !== request.caller.merchantId) return false;
        const found = await memberHolders.lockSession(tx, id, session);
        if (!found) return false;
        if (found.ended_at) return true;
        await endSession(tx, id, session, change.now);
        await recordCreation(tx, change, { kind: 'member', id }, { ended_session: session });
        return true;
      });
      if (!isKnown) throw request.notFound();
      signIn.ended.note(session);
    },
  });
