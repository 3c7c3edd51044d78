import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerPages, listAnswer } from '#platform/http/listing.ts';
import { pageParameters } from '#platform/http/pagination.ts';
import { Text } from '#platform/http/schemas.ts';
import { renderMember } from '../members.ts';
import { Member } from '../schemas.ts';
import type { Staff } from '../staff.ts';
import { listMembers } from '../store.ts';

export const getAdminStaff = ({ db }: Staff) =>
  endpoint('GET /admin/staff', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listStaff',
    summary: 'List the people who work at this door',
    query: Type.Object({
      ...pageParameters(),
      q: Type.Optional(Text(100, { description: 'With this in their name.' })),
      removed: Type.Enum(['true', 'false'], { default: 'false', description: 'Those too who were removed.' }),
    }),
    answers: listAnswer('A page of people, by name.', Member),
    handler(request, reply) {
      const { q } = request.query;
      const removed = request.query.removed === 'true';
      return answerPages({ request, reply }, (at) => listMembers(db, { removed, q, ...at }), {
        item: Member,
        render: (rows) => rows.map(renderMember),
      });
    },
  });
