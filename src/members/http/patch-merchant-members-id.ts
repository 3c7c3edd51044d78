import { endpoint } from '#platform/http/endpoint.ts';
import { changeByMember } from '#platform/privacy/trail.ts';
import { changeMember, type Members } from '../members.ts';
import { lastOwner } from '../problems.ts';
import { Member, MemberChange, ofMember } from '../schemas.ts';

export const patchMerchantMembersId = ({ db, clock }: Members) =>
  endpoint('PATCH /merchant/members/:id', {
    access: { scope: 'till', member: 'owner' },
    id: 'changeMember',
    summary: 'Change a member: only what is sent',
    description: 'It counts from their next request on. Somebody with another phone is another member.',
    ...ofMember,
    body: MemberChange,
    answers: { 200: { description: 'The member.', schema: Member } },
    problems: [lastOwner],
    handler(request) {
      const named = { merchantId: request.caller.merchantId, id: request.params.id };
      const change = changeByMember(request, clock.now());
      return db.transaction((tx) => changeMember(tx, named, request.body, change));
    },
  });
