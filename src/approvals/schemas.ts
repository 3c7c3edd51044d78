import { Type } from 'typebox';
import { APPROVAL_EXAMPLE, Approval } from '#platform/http/approval.ts';
import { Form, Id, Text } from '#platform/http/schemas.ts';

/** Of the endpoints of one approval. */
export const ofApproval = {
  params: Type.Object({ id: Id('apr') }),
  notFound: {
    en: 'Nothing with this id waits or waited for a second person.',
    pt: 'Nada com este id espera ou esperou por uma segunda pessoa.',
  },
};

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
