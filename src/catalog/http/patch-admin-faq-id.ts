import { endpoint } from '#platform/http/endpoint.ts';
import { changeProblems, ETAG_HEADER, ifMatchHeader } from '#platform/trail.ts';
import { type Content, changeContent } from '../admin/content.ts';
import { FaqChange, FaqParams, faqResource, StaffFaq } from '../admin/resources.ts';

export const patchAdminFaqId = (content: Content) =>
  endpoint({
    method: 'PATCH',
    url: '/admin/faq/:id',
    access: { scope: 'operator', role: 'content' },
    id: 'changeFaqEntry',
    tag: 'Content',
    summary: 'Change a question: only what is sent',
    params: FaqParams,
    notFound: 'No question has this id.',
    headers: ifMatchHeader,
    body: FaqChange,
    answers: { 200: { description: 'The question.', schema: StaffFaq, headers: ETAG_HEADER } },
    problems: changeProblems,
    async handler(request, reply) {
      const change = { action: 'changeFaqEntry', key: request.params.id };
      const shown = await changeContent(content, faqResource, request, reply, change);
      if (!shown) throw request.notFound();
      return shown;
    },
  });
