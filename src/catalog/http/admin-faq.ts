import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { listResponse } from '#platform/http/list-query.ts';
import { pageParameters } from '#platform/http/pagination.ts';
import { Slug, Text } from '#platform/http/schemas.ts';
import { type ContentDeps, listContent } from '../content/content.ts';
import { defineCreate, defineGet, defineRemove, defineUpdate } from '../content/define-endpoints.ts';
import { faqResource, StaffFaq } from '../content/resources.ts';

export const getAdminFaq = (deps: ContentDeps) =>
  endpoint('GET /admin/faq', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listFaqEntryForStaff',
    summary: 'List FAQ entries, listed or not',
    query: Type.Object({
      ...pageParameters(),
      q: Type.Optional(
        Text(200, { description: 'Text in the question or the answer, ignoring case and accents.' }),
      ),
      topic: Type.Optional(Slug()),
      listed: Type.Optional(Type.Enum(['true', 'false'])),
    }),
    responses: listResponse('A page of entries, in order of topic and position.', StaffFaq),
    handler: (request, reply) => listContent(deps, faqResource, { request, reply }),
  });

export const postAdminFaq = defineCreate('POST /admin/faq', faqResource);

export const getAdminFaqId = defineGet('GET /admin/faq/:id', faqResource);

export const patchAdminFaqId = defineUpdate('PATCH /admin/faq/:id', faqResource);

export const deleteAdminFaqId = defineRemove('DELETE /admin/faq/:id', faqResource);
