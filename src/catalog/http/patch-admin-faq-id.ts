import { endpoint } from '#platform/http/endpoint.ts';
import { changeProblems, ifMatchHeader } from '#platform/privacy/trail.ts';
import { type Content, changeContent } from '../admin/content.ts';
import { FaqChange, FaqParams, faqResource, StaffFaq } from '../admin/resources.ts';
import { NO_QUESTION } from '../problems.ts';

export const patchAdminFaqId = (content: Content) =>
  endpoint('PATCH /admin/faq/:id', {
    access: { scope: 'operator', role: 'content' },
    id: 'changeFaqEntry',
    summary: 'Change a question: only what is sent',
    params: FaqParams,
    notFound: NO_QUESTION,
    headers: ifMatchHeader,
    body: FaqChange,
    answers: { 200: { description: 'The question.', schema: StaffFaq, etag: true } },
    problems: changeProblems,
    handler: (request) => changeContent(content, faqResource, request, request.params.id),
  });
