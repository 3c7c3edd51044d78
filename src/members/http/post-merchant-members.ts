import { endpoint } from '#platform/http/endpoint.ts';
import { createOnce, idempotency } from '#platform/http/idempotency.ts';
import { changeByMember } from '#platform/privacy/trail.ts';
import { addMember, type Members } from '../members.ts';
import { lastOwner, memberExists } from '../problems.ts';
import { Member, MemberForm } from '../schemas.ts';

export const postMerchantMembers = ({ db, clock }: Members) =>
  endpoint('POST /merchant/members', {
    access: { scope: 'till', member: 'owner' },
    id: 'addMember',
    summary: 'Add a member to your merchant',
    description: 'They sign in by a code to their phone.',
    headers: idempotency.header,
    body: MemberForm,
    answers: { 201: { description: 'The member.', schema: Member, headers: idempotency.replayed } },
    problems: [memberExists, lastOwner, ...idempotency.problems],
    handler(request, reply) {
      const now = clock.now();
      const { merchantId } = request.caller;
      return createOnce(
        db,
        { request, reply, now },
        (tx) => addMember(tx, merchantId, request.body, changeByMember(request, now)),
        [merchantId, request.body],
      );
    },
  });
