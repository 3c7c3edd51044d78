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
    tag: 'Content',
    summary: 'Add a merchant',
    headers: idempotency.header,
    body: MerchantForm,
    answers: { 201: { description: 'The merchant.', schema: StaffMerchant } },
    problems: [...idempotency.problems, alreadyExists],
    handler: (request, reply) => createContent(content, merchantResource, { request, reply }),
  });
