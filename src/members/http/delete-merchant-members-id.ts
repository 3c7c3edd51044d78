import { endpoint } from '#platform/http/endpoint.ts';
import { changeByMember } from '#platform/privacy/trail.ts';
import { type Members, removeMember } from '../members.ts';
import { lastOwner, NO_MEMBER } from '../problems.ts';
import { MemberParams } from '../schemas.ts';

export const deleteMerchantMembersId = ({ db, clock, signIn }: Members) =>
  endpoint('DELETE /merchant/members/:id', {
    access: { scope: 'till', member: 'owner' },
    id: 'removeMember',
    summary: 'Remove a member from your merchant',
    description: 'Their sessions end at once, everywhere. What they sold still names them.',
    params: MemberParams,
    notFound: NO_MEMBER,
    answers: { 204: { description: 'They are out.' } },
    problems: [lastOwner],
    async handler(request) {
      const named = { merchantId: request.caller.merchantId, id: request.params.id };
      const change = changeByMember(request, clock.now());
      const ended = await db.transaction((tx) => removeMember(tx, named, change));
      if (!ended) throw request.notFound();
      for (const id of ended) signIn.ended.note(id);
    },
  });
