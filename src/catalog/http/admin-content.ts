import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { listParameters } from '#platform/http/list-query.ts';
import { Slug, StrictObject, Text } from '#platform/http/schemas.ts';
import { invalidField } from '#platform/problem.ts';
import {
  defineContentList,
  defineCreate,
  defineGet,
  definePictureUpload,
  defineRemove,
  defineUpdate,
} from '../content/define-endpoints.ts';
import { RENDERING_TIMED_OUT, renderPostBody } from '../content/record-store.ts';
import { categoryResource, faqResource, postResource } from '../content/resources.ts';
import { POST_STATUSES } from '../content/store.ts';
import { stillUsed } from '../problems.ts';

export const getAdminCategories = defineContentList('GET /admin/categories', categoryResource, {
  summary: 'List categories for staff',
  query: {
    q: Type.Optional(Text(200, { description: 'Text in the name, ignoring case and accents.' })),
  },
  pageDescription: 'A page of categories, in order of slug.',
});

export const postAdminCategories = defineCreate('POST /admin/categories', categoryResource);

export const getAdminCategoriesSlug = defineGet('GET /admin/categories/:slug', categoryResource);

export const patchAdminCategoriesSlug = defineUpdate('PATCH /admin/categories/:slug', categoryResource);

export const deleteAdminCategoriesSlug = defineRemove('DELETE /admin/categories/:slug', categoryResource, [
  stillUsed,
]);

export const getAdminFaq = defineContentList('GET /admin/faq', faqResource, {
  summary: 'List FAQ entries, listed or not',
  query: {
    q: Type.Optional(
      Text(200, { description: 'Text in the question or the answer, ignoring case and accents.' }),
    ),
    topic: Type.Optional(Slug()),
    listed: Type.Optional(Type.Enum(['true', 'false'])),
  },
  pageDescription: 'A page of entries, in order of topic and position.',
});

export const postAdminFaq = defineCreate('POST /admin/faq', faqResource);

export const getAdminFaqId = defineGet('GET /admin/faq/:id', faqResource);

export const patchAdminFaqId = defineUpdate('PATCH /admin/faq/:id', faqResource);

export const deleteAdminFaqId = defineRemove('DELETE /admin/faq/:id', faqResource);

export const getAdminPosts = defineContentList('GET /admin/posts', postResource, {
  summary: 'List posts, drafts included',
  query: {
    ...listParameters(),
    q: Type.Optional(
      Text(200, { description: 'Text in the title or the summary, ignoring case and accents.' }),
    ),
    status: Type.Optional(Type.Enum([...POST_STATUSES])),
  },
  pageDescription: 'A page of posts: drafts first, then newest first; or oldest first with drafts last.',
});

export const postAdminPosts = defineCreate('POST /admin/posts', postResource);

export const getAdminPostsSlug = defineGet('GET /admin/posts/:slug', postResource);

export const patchAdminPostsSlug = defineUpdate('PATCH /admin/posts/:slug', postResource);

export const deleteAdminPostsSlug = defineRemove('DELETE /admin/posts/:slug', postResource);

export const postAdminPostTextTry = () =>
  endpoint('POST /admin/post-text/try', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'previewPost',
    summary: 'Preview the text of a post',
    description: 'Renders Markdown as the site does. Stores nothing.',
    body: StrictObject(
      { body: Type.String({ maxLength: 200_000, description: 'Markdown.' }) },
      { examples: [{ body: 'O *CET* diz tudo.' }] },
    ),
    bodyLimitBytes: 1024 * 1024,
    responses: {
      200: {
        description: 'The text as sanitized HTML.',
        schema: Type.Object(
          { body_html: Type.String() },
          { examples: [{ body_html: '<p>O <em>CET</em> diz tudo.</p>' }] },
        ),
      },
    },
    async handler(request) {
      const body_html = await renderPostBody(request.body.body);
      if (body_html === undefined) throw invalidField('/body', RENDERING_TIMED_OUT.message);
      return { body_html };
    },
  });

export const putAdminPostsSlugCover = definePictureUpload('PUT /admin/posts/:slug/cover', postResource, {
  id: 'setPostCover',
  summary: 'Upload the cover of a post',
  field: 'cover_url',
});
