import { endpoint } from '#platform/http/endpoint.ts';
import {
  actorOf,
  changeProblems,
  ETAG_HEADER,
  etagOf,
  ifMatchHeader,
  recordChange,
} from '#platform/trail.ts';
import { changeMember, lastAdmin, memberSubject } from '../members.ts';
import { Member, MemberChange, MemberParams } from '../schemas.ts';
import type { Staff } from '../staff.ts';

export const patchAdminStaffId = ({ db, clock }: Staff) =>
  endpoint({
    method: 'PATCH',
    url: '/admin/staff/:id',
    access: { scope: 'operator', role: 'admin' },
    id: 'changeStaffMember',
    tag: 'Staff',
    summary: 'Change the name or the role of a person',
    description: 'Takes effect on every node within a second. The last admin keeps the role.',
    params: MemberParams,
    notFound: 'No person has this id.',
    headers: ifMatchHeader,
    body: MemberChange,
    answers: { 200: { description: 'The person.', schema: Member, headers: ETAG_HEADER } },
    problems: [...changeProblems, lastAdmin],
    async handler(request, reply) {
      const change = { actor: actorOf(request), action: 'changeStaffMember', now: clock.now() };
      const subject = { of: memberSubject, id: request.params.id, ifMatch: request.headers['if-match'] };
      const member = await db.transaction((tx) =>
        recordChange(tx, change, subject, (before) => changeMember(tx, before, request.body)),
      );
      if (!member) throw request.notFound();
      return reply.header('etag', etagOf(member)).send(member);
    },
  });
