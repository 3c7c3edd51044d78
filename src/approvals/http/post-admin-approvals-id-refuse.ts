import { Approval } from '#platform/http/approval.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { changeBy, recordChange } from '#platform/privacy/trail.ts';
import type { ApprovalDeps } from '../approvals.ts';
import { approvalSubject } from '../approvals.ts';
import { approvalClosed } from '../problems.ts';
import { ApprovalRefusal, ofApproval } from '../schemas.ts';

export const postAdminApprovalsIdRefuse = ({ db, clock, approvals }: ApprovalDeps) =>
  endpoint('POST /admin/approvals/:id/refuse', {
    access: { scope: 'operator', role: 'finance' },
    id: 'refuseAct',
    summary: 'Refuse an act, or take back one of your own',
    description: 'Nothing moves.',
    ...ofApproval,
    body: ApprovalRefusal,
    answers: { 200: { description: 'The approval, refused.', schema: Approval } },
    problems: [approvalClosed],
    handler(request) {
      const { id } = request.params;
      const { reason } = request.body;
      const change = changeBy(request, clock.now(), reason);
      return db.transaction((tx) =>
        recordChange(tx, change, { of: approvalSubject, id }, () =>
          approvals.refuse(tx, id, { by: change.actor.id, reason }),
        ),
      );
    },
  });
