import { requireFieldRoles } from '#partners';
import { endpoint } from '#platform/http/endpoint.ts';
import { idempotency } from '#platform/http/idempotency.ts';
import { type Content, createContent } from '../admin/content.ts';
import { MERCHANT_FIELD_ROLES, MerchantForm, merchantResource, StaffMerchant } from '../admin/resources.ts';
import { alreadyExists } from '../problems.ts';

export const postAdminMerchants = (content: Content) =>
  endpoint('POST /admin/merchants', {
    access: { scope: 'operator', role: 'content', fields: MERCHANT_FIELD_ROLES },
    id: 'createMerchant',
    summary: 'Add a merchant',
    description: 'A `plan` takes the role `finance`; without one it is the usual plan.',
    headers: idempotency.header,
    body: MerchantForm,
    answers: { 201: { description: 'The merchant.', schema: StaffMerchant } },
    problems: [...idempotency.problems, alreadyExists],
    handler(request, reply) {
      requireFieldRoles(request.caller, MERCHANT_FIELD_ROLES, request.body);
      return createContent(content, merchantResource, { request, reply });
    },
  });
