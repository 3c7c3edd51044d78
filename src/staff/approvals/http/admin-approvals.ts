import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { cents, toReais } from '#core/values/money.ts';
import { APPROVAL_EXAMPLE, Approval, approvalStale } from '#platform/http/approval.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { listEndpoint } from '#platform/http/list.ts';
import { Id, Reais, StrictObject, Text } from '#platform/http/schemas.ts';
import { updateForStaff } from '#platform/privacy/audit-trail.ts';
import { sessionNeeded } from '../../sign-in/problems.ts';
import { type ApprovalDeps, approvalAuditEntity, refuseAction } from '../approvals.ts';
import { actFailed, approvalClosed, approverTooNew, ownApproval } from '../problems.ts';
import { findAndRenderApproval, renderApprovals } from '../render.ts';
import { approvalList } from '../store.ts';

const approvalResource = {
  params: Type.Object({ id: Id('apr') }),
  notFound: {
    en: 'No approval has this id.',
    pt: 'Nada com este id espera ou esperou por uma segunda pessoa.',
  },
};

const ApprovalRefusal = StrictObject(
  { reason: Text(200, { description: 'Reason of the refusal.' }) },
  { $id: 'ApprovalRefusal', examples: [{ reason: 'O valor não confere com o extrato' }] },
);

const ApprovedAction = Type.Object(
  {
    approval: Approval,
    result: Type.Unknown({ description: 'Response body of the action’s endpoint.' }),
  },
  { $id: 'ApprovedAct', examples: [{ approval: APPROVAL_EXAMPLE, result: {} }] },
);

export const getAdminApprovals = (deps: ApprovalDeps) =>
  listEndpoint('GET /admin/approvals', deps, approvalList, {
    id: 'listApprovals',
    summary: 'List approvals',
    description: 'Lists actions that require or required the approval of a second person.',
    cli: {
      columns: 'id, status, kind, amount, subject.id, asked_at, asked_by.name, reason',
      examples: ['semana approvals list --status waiting'],
    },
    page: 'A page of approvals.',
    item: Approval,
    sum: 'Amount at stake',
    render: (rows, { caller }) => renderApprovals(deps.db, rows, caller.role),
  });

export const getAdminApprovalsId = ({ db }: ApprovalDeps) =>
  endpoint('GET /admin/approvals/:id', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getApproval',
    summary: 'Get an approval',
    ...approvalResource,
    responses: { 200: { description: 'The approval.', schema: Approval } },
    handler: (request) => findAndRenderApproval(db, request.params.id, request.caller.role),
  });

export const postAdminApprovalsIdApprove = ({ db, approvals }: ApprovalDeps) =>
  endpoint('POST /admin/approvals/:id/approve', {
    access: { scope: 'operator', role: ['risk', 'finance'] },
    id: 'approveAct',
    summary: 'Approve an action',
    description:
      'Performs the action immediately on behalf of its requester, exactly as the approval describes it. If the described facts have ' +
      'changed, the response is 409 `approval_stale`; if the action is no longer possible, 409 `act_failed` with the reason. The approval is then `failed`.',
    ...approvalResource,
    cli: {
      confirm: 'This performs the action of approval {id}.',
      done: '{approval.kind} of {approval.subject.id} is {approval.status}.',
    },
    responses: { 200: { description: 'The approval and the result of the action.', schema: ApprovedAction } },
    problems: [ownApproval, approverTooNew, sessionNeeded, approvalClosed, approvalStale, actFailed],
    async handler(request) {
      const { id } = request.params;
      const result = await approvals.approve(request as FastifyRequest, id);
      if (result === undefined) return undefined;
      return { approval: (await findAndRenderApproval(db, id, request.caller.role))!, result };
    },
  });

export const postAdminApprovalsIdRefuse = ({ db, clock }: ApprovalDeps) =>
  endpoint('POST /admin/approvals/:id/refuse', {
    access: { scope: 'operator', role: ['risk', 'finance'] },
    id: 'refuseAct',
    summary: 'Refuse an action',
    description: 'The action is not performed. The requester may refuse their own action, which cancels it.',
    ...approvalResource,
    body: ApprovalRefusal,
    cli: { done: '{kind} of {subject.id} is {status}.' },
    responses: { 200: { description: 'The approval, refused.', schema: Approval } },
    problems: [approvalClosed],
    async handler(request) {
      const { id } = request.params;
      const { reason } = request.body;
      const { staffUserId: refusedBy, role } = request.caller;
      const target = { entity: approvalAuditEntity, id, reason };
      const refusal = await updateForStaff({ db, clock }, request, target, (tx, now) =>
        refuseAction(tx, id, { refusedBy, reason, now }),
      );
      return refusal && findAndRenderApproval(db, id, role);
    },
  });

export const getAdminFourEyes = ({ settings }: ApprovalDeps) =>
  endpoint('GET /admin/four-eyes', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getFourEyes',
    summary: 'Get the approval threshold',
    description:
      'Actions above this amount require the approval of a second person. The setting is `FOUR_EYES_AMOUNT`.',
    responses: {
      200: {
        description: 'The threshold.',
        schema: Type.Object(
          {
            above: Type.Union([Reais('Actions above this amount require an approval'), Type.Null()], {
              description: 'In reais; null: no action requires an approval.',
            }),
          },
          { $id: 'FourEyes', examples: [{ above: 1000 }] },
        ),
      },
    },
    handler: async () => ({
      above: settings.fourEyesCents === 0 ? null : toReais(cents(settings.fourEyesCents)),
    }),
  });
