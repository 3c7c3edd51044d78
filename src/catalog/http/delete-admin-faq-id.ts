import { endpoint } from '#platform/http/endpoint.ts';
import { type Content, removeContent } from '../admin/content.ts';
import { FaqParams, faqResource } from '../admin/resources.ts';
import { NO_QUESTION } from '../problems.ts';

export const deleteAdminFaqId = (content: Content) =>
  endpoint('DELETE /admin/faq/:id', {
    access: { scope: 'operator', role: 'content' },
    id: 'removeFaqEntry',
    summary: 'Remove a question',
    params: FaqParams,
    notFound: NO_QUESTION,
    answers: { 204: { description: 'It is gone.' } },
    handler: (request) => removeContent(content, faqResource, request, request.params.id),
  });
