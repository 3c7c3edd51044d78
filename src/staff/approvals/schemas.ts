import { Type } from 'typebox';
import { APPROVAL_EXAMPLE, Approval } from '#platform/http/approval.ts';
import { Id, StrictObject, Text } from '#platform/http/schemas.ts';

/** Path parameter and 404 of the endpoints of one approval. */
export const approvalResource = {
  params: Type.Object({ id: Id('apr') }),
  notFound: {
    en: 'No approval has this id.',
    pt: 'Nada com este id espera ou esperou por uma segunda pessoa.',
  },
};

export const ApprovalRefusal = StrictObject(
  { reason: Text(200, { description: 'Reason of the refusal.' }) },
  { $id: 'ApprovalRefusal', examples: [{ reason: 'O valor não confere com o extrato' }] },
);

export const ApprovedAct = Type.Object(
  {
    approval: Approval,
    result: Type.Unknown({ description: 'Response body of the act’s endpoint.' }),
  },
  { $id: 'ApprovedAct', examples: [{ approval: APPROVAL_EXAMPLE, result: {} }] },
);
