import { requireRole } from '#partners';
import { endpoint } from '#platform/http/endpoint.ts';
import { idempotency } from '#platform/http/idempotency.ts';
import { type Content, createContent } from '../admin/content.ts';
import { MerchantForm, merchantResource, StaffMerchant } from '../admin/resources.ts';
import { alreadyExists } from '../problems.ts';

export const postAdminMerchants = (content: Content) =>
  endpoint({
    method: 'POST',
    url: '/admin/merchants',
    access: { scope: 'operator', role: 'content' },
    id: 'createMerchant',
    summary: 'Add a merchant',
    description: 'A `plan` takes the role `finance`; without one it is the usual plan.',
    headers: idempotency.header,
    body: MerchantForm,
    answers: { 201: { description: 'The merchant.', schema: StaffMerchant } },
    problems: [...idempotency.problems, alreadyExists],
    handler(request, reply) {
      if (request.body.plan !== undefined) requireRole(request.caller, 'finance');
      return createContent(content, merchantResource, { request, reply });
    },
  });
