import { endpoint } from '#platform/http/endpoint.ts';
import { slugParams } from '#platform/http/schemas.ts';
import { ETAG_HEADER } from '#platform/trail.ts';
import { type Content, showContent } from '../admin/content.ts';
import { postResource, StaffPost } from '../admin/resources.ts';

export const getAdminPostsSlug = (content: Content) =>
  endpoint({
    method: 'GET',
    url: '/admin/posts/:slug',
    access: { scope: 'operator', role: 'viewer' },
    id: 'getPostForStaff',
    tag: 'Content',
    summary: 'Show one post',
    params: slugParams('glossario-do-credito-semanal'),
    notFound: 'No post has this slug.',
    answers: { 200: { description: 'The post.', schema: StaffPost, headers: ETAG_HEADER } },
    async handler(request, reply) {
      const shown = await showContent(content, postResource, request.params.slug, reply);
      if (!shown) throw request.notFound();
      return shown;
    },
  });
