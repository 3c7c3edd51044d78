import { endpoint } from '#platform/http/endpoint.ts';
import { idempotency } from '#platform/http/idempotency.ts';
import { type Content, createContent } from '../admin/content.ts';
import { FaqForm, faqResource, StaffFaq } from '../admin/resources.ts';
import { alreadyExists } from '../problems.ts';

export const postAdminFaq = (content: Content) =>
  endpoint('POST /admin/faq', {
    access: { scope: 'operator', role: 'content' },
    id: 'createFaqEntry',
    summary: 'Add a question',
    headers: idempotency.header,
    body: FaqForm,
    answers: { 201: { description: 'The question.', schema: StaffFaq } },
    problems: [...idempotency.problems, alreadyExists],
    handler: (request, reply) => createContent(content, faqResource, { request, reply }),
  });
