import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { listAnswer } from '#platform/http/listing.ts';
import { pageParameters } from '#platform/http/pagination.ts';
import { Slug, Text } from '#platform/http/schemas.ts';
import { type Content, listContent } from '../admin/content.ts';
import { faqResource, StaffFaq } from '../admin/resources.ts';

export const getAdminFaq = (content: Content) =>
  endpoint('GET /admin/faq', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listFaqEntryForStaff',
    summary: 'List questions, shown or not',
    query: Type.Object({
      ...pageParameters(),
      q: Type.Optional(
        Text(200, { description: 'What stands in question or answer, without regard to case and accents.' }),
      ),
      topic: Type.Optional(Slug()),
      listed: Type.Optional(Type.Enum(['true', 'false'])),
    }),
    answers: listAnswer('A page of questions, by topic and place.', StaffFaq),
    handler: (request, reply) => listContent(content, faqResource, { request, reply }),
  });
