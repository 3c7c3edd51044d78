import { Type } from 'typebox';
import { Slug, Text } from '#platform/http/schemas.ts';
import {
  defineContentList,
  defineCreate,
  defineGet,
  defineRemove,
  defineUpdate,
} from '../content/define-endpoints.ts';
import { faqResource } from '../content/resources.ts';

export const getAdminFaq = defineContentList('GET /admin/faq', faqResource, {
  summary: 'List FAQ entries, listed or not',
  query: {
    q: Type.Optional(
      Text(200, { description: 'Text in the question or the answer, ignoring case and accents.' }),
    ),
    topic: Type.Optional(Slug()),
    listed: Type.Optional(Type.Enum(['true', 'false'])),
  },
  page: 'A page of entries, in order of topic and position.',
});

export const postAdminFaq = defineCreate('POST /admin/faq', faqResource);

export const getAdminFaqId = defineGet('GET /admin/faq/:id', faqResource);

export const patchAdminFaqId = defineUpdate('PATCH /admin/faq/:id', faqResource);

export const deleteAdminFaqId = defineRemove('DELETE /admin/faq/:id', faqResource);
