import { Approval } from '#platform/http/approval.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import type { ApprovalDeps } from '../approvals.ts';
import { showApproval } from '../approvals.ts';
import { ofApproval } from '../schemas.ts';

export const getAdminApprovalsId = ({ db }: ApprovalDeps) =>
  endpoint('GET /admin/approvals/:id', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getApproval',
    summary: 'Show one act that waits, or waited, for a second person',
    ...ofApproval,
    answers: { 200: { description: 'The approval.', schema: Approval } },
    handler: (request) => showApproval(db, request.params.id),
  });
