import { endpoint } from '#platform/http/endpoint.ts';
import { slugParams } from '#platform/http/schemas.ts';
import { type Content, showContent } from '../admin/content.ts';
import { postResource, StaffPost } from '../admin/resources.ts';
import { NO_POST } from '../problems.ts';

export const getAdminPostsSlug = (content: Content) =>
  endpoint('GET /admin/posts/:slug', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getPostForStaff',
    summary: 'Show one post',
    params: slugParams('glossario-do-credito-semanal'),
    notFound: NO_POST,
    answers: { 200: { description: 'The post.', schema: StaffPost, etag: true } },
    handler: (request) => showContent(content, postResource, request.params.slug),
  });
