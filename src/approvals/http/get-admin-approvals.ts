import { Type } from 'typebox';
import { APPROVAL_KINDS, APPROVAL_STATUSES, Approval } from '#platform/http/approval.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerList, dayParameters, listAnswer, listParameters } from '#platform/http/listing.ts';
import { searchParameter } from '#platform/http/search.ts';
import type { ApprovalDeps } from '../approvals.ts';
import { renderApprovals } from '../approvals.ts';
import { listedApprovals } from '../store.ts';

export const getAdminApprovals = ({ db, resolveSearch }: ApprovalDeps) =>
  endpoint('GET /admin/approvals', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listApprovals',
    summary: 'List what waits, or waited, for a second person',
    query: Type.Object({
      ...listParameters(),
      ...searchParameter('of the merchant, or what it is about: an id, a hash'),
      status: Type.Optional(Type.Enum([...APPROVAL_STATUSES], { description: 'Only those in this status.' })),
      kind: Type.Optional(Type.Enum([...APPROVAL_KINDS], { description: 'Only those of this kind.' })),
      ...dayParameters('Asked for'),
    }),
    answers: listAnswer('A page of approvals.', Approval, 'What they are about'),
    async handler(request, reply) {
      const { q, ...filter } = request.query;
      return answerList(
        db,
        { request, reply },
        listedApprovals({ ...filter, target: await resolveSearch(q) }),
        {
          item: Approval,
          render: (rows) => renderApprovals(db, rows),
        },
      );
    },
  });
