import { endpoint } from '#platform/http/endpoint.ts';
import { ETAG_HEADER, etagOf } from '#platform/trail.ts';
import { renderMember } from '../members.ts';
import { Member, MemberParams } from '../schemas.ts';
import type { Staff } from '../staff.ts';
import { findMember } from '../store.ts';

export const getAdminStaffId = ({ db }: Staff) =>
  endpoint({
    method: 'GET',
    url: '/admin/staff/:id',
    access: { scope: 'operator', role: 'viewer' },
    id: 'getStaffMember',
    tag: 'Staff',
    summary: 'Show one person',
    params: MemberParams,
    notFound: 'No person has this id.',
    answers: { 200: { description: 'The person.', schema: Member, headers: ETAG_HEADER } },
    async handler(request, reply) {
      const found = await findMember(db, request.params.id);
      if (!found) throw request.notFound();
      const member = renderMember(found);
      return reply.header('etag', etagOf(member)).send(member);
    },
  });
