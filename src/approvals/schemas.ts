import { Type } from 'typebox';
import { APPROVAL_EXAMPLE, Approval } from '#platform/http/approval.ts';
import { Form, Id, Text } from '#platform/http/schemas.ts';

export const ApprovalParams = Type.Object({ id: Id('apr') });

export const ApprovalRefusal = Form(
  { reason: Text(200, { description: 'Why.' }) },
  { $id: 'ApprovalRefusal', examples: [{ reason: 'O valor não confere com o extrato' }] },
);

export const ApprovedAct = Type.Object(
  {
    approval: Approval,
    result: Type.Unknown({ description: 'What the endpoint of the act answers.' }),
  },
  { $id: 'ApprovedAct', examples: [{ approval: APPROVAL_EXAMPLE, result: {} }] },
);
