import { endpoint } from '#platform/http/endpoint.ts';
import { changeByMember } from '#platform/privacy/trail.ts';
import { type Members, removeMember } from '../members.ts';
import { lastOwner } from '../problems.ts';
import { ofMember } from '../schemas.ts';

export const deleteMerchantMembersId = ({ db, clock, signIn }: Members) =>
  endpoint('DELETE /merchant/members/:id', {
    access: { scope: 'till', member: 'owner' },
    id: 'removeMember',
    summary: 'Remove a member from your merchant',
    description: 'Their sessions end at once, everywhere. What they sold still names them.',
    ...ofMember,
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
