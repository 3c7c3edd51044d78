import { endpoint } from '#platform/http/endpoint.ts';
import { renderMember } from '../members.ts';
import { Member, ofMember } from '../schemas.ts';
import type { Staff } from '../staff.ts';
import { findMember } from '../store.ts';

export const getAdminStaffId = ({ db }: Staff) =>
  endpoint('GET /admin/staff/:id', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getStaffMember',
    summary: 'Show one person',
    ...ofMember,
    answers: { 200: { description: 'The person.', schema: Member, etag: true } },
    async handler(request) {
      const found = await findMember(db, request.params.id);
      return found && renderMember(found);
    },
  });
