import type { FastifyRequest } from 'fastify';
import { endpoint } from '#platform/http/endpoint.ts';
import type { ApprovalDeps } from '../approvals.ts';
import { showApproval } from '../approvals.ts';
import { actFailed, approvalClosed, ownApproval } from '../problems.ts';
import { ApprovedAct, ofApproval } from '../schemas.ts';

export const postAdminApprovalsIdApprove = ({ db, approvals }: ApprovalDeps) =>
  endpoint('POST /admin/approvals/:id/approve', {
    access: { scope: 'operator', role: 'finance' },
    id: 'approveAct',
    summary: 'Let an act of somebody else through',
    description:
      'It is done at once, as it was asked for. If it cannot be done any more, the answer is 409 `act_failed` with the reason, and ' +
      'the approval is `failed`.',
    ...ofApproval,
    answers: { 200: { description: 'What was done.', schema: ApprovedAct } },
    problems: [ownApproval, approvalClosed, actFailed],
    async handler(request) {
      const { id } = request.params;
      const result = await approvals.approve(request as FastifyRequest, id);
      if (result === undefined) throw request.notFound();
      return { approval: (await showApproval(db, id))!, result };
    },
  });
