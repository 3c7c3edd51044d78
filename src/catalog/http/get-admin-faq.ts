import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { Pagination, pageParameters } from '#platform/http/pagination.ts';
import { Slug } from '#platform/http/schemas.ts';
import { type Content, listContent } from '../admin/content.ts';
import { faqResource, StaffFaq } from '../admin/resources.ts';

export const getAdminFaq = (content: Content) =>
  endpoint({
    method: 'GET',
    url: '/admin/faq',
    access: { scope: 'operator', role: 'viewer' },
    id: 'listFaqEntryForStaff',
    tag: 'Content',
    summary: 'List questions, shown or not',
    query: Type.Object({ ...pageParameters(), topic: Type.Optional(Slug()) }),
    answers: {
      200: {
        description: 'A page of questions, by topic and place.',
        schema: Type.Object({ data: Type.Array(StaffFaq), pagination: Pagination }),
      },
    },
    handler: (request) => listContent(content, faqResource, request.query),
  });
