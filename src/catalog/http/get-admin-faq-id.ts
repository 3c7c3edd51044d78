import { endpoint } from '#platform/http/endpoint.ts';
import { type Content, showContent } from '../admin/content.ts';
import { FaqParams, faqResource, StaffFaq } from '../admin/resources.ts';
import { NO_QUESTION } from '../problems.ts';

export const getAdminFaqId = (content: Content) =>
  endpoint('GET /admin/faq/:id', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getFaqEntryForStaff',
    summary: 'Show one question',
    params: FaqParams,
    notFound: NO_QUESTION,
    answers: { 200: { description: 'The question.', schema: StaffFaq, etag: true } },
    handler: (request) => showContent(content, faqResource, request.params.id),
  });
