import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { Pagination, pageParameters, paginationOf } from '#platform/http/pagination.ts';
import { renderMember } from '../members.ts';
import { Member } from '../schemas.ts';
import type { Staff } from '../staff.ts';
import { listMembers } from '../store.ts';

export const getAdminStaff = ({ db }: Staff) =>
  endpoint({
    method: 'GET',
    url: '/admin/staff',
    access: { scope: 'operator', role: 'viewer' },
    id: 'listStaff',
    tag: 'Staff',
    summary: 'List the people who work at this door',
    query: Type.Object({
      ...pageParameters(),
      removed: Type.Enum(['true', 'false'], { default: 'false', description: 'Those too who were removed.' }),
    }),
    answers: {
      200: {
        description: 'A page of people, by name.',
        schema: Type.Object({ data: Type.Array(Member), pagination: Pagination }),
      },
    },
    async handler(request) {
      const { page, limit } = request.query;
      const removed = request.query.removed === 'true';
      const { total, members } = await listMembers(db, { removed, offset: (page - 1) * limit, limit });
      return { data: members.map(renderMember), pagination: paginationOf({ page, limit }, total) };
    },
  });
