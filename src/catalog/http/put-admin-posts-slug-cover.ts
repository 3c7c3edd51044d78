import { endpoint } from '#platform/http/endpoint.ts';
import { readBody } from '#platform/http/file-body.ts';
import { slugParams } from '#platform/http/schemas.ts';
import { changeProblems, ifMatchHeader } from '#platform/privacy/trail.ts';
import { type Content, setPicture } from '../admin/content.ts';
import { postResource, StaffPost } from '../admin/resources.ts';
import { imageRefused, PICTURE_TYPES } from '../media/media.ts';
import { NO_POST } from '../problems.ts';

export const putAdminPostsSlugCover = (content: Content) =>
  endpoint('PUT /admin/posts/:slug/cover', {
    access: { scope: 'operator', role: 'content' },
    id: 'setPostCover',
    summary: 'Upload the cover of a post',
    description: 'As `POST /admin/media`, and the post shows it from then on.',
    params: slugParams('glossario-do-credito-semanal'),
    notFound: NO_POST,
    headers: ifMatchHeader,
    rawBody: true,
    rawTypes: PICTURE_TYPES,
    answers: { 200: { description: 'The post.', schema: StaffPost, etag: true } },
    problems: [imageRefused, ...changeProblems],
    async handler(request) {
      const picture = { bytes: await readBody(request.raw), field: 'cover_url' };
      return setPicture(content, postResource, request, request.params.slug, picture);
    },
  });
