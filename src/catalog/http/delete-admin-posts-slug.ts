import { endpoint } from '#platform/http/endpoint.ts';
import { slugParams } from '#platform/http/schemas.ts';
import { type Content, removeContent } from '../admin/content.ts';
import { postResource } from '../admin/resources.ts';
import { NO_POST } from '../problems.ts';

export const deleteAdminPostsSlug = (content: Content) =>
  endpoint('DELETE /admin/posts/:slug', {
    access: { scope: 'operator', role: 'content' },
    id: 'removePost',
    summary: 'Remove a post',
    params: slugParams('glossario-do-credito-semanal'),
    notFound: NO_POST,
    answers: { 204: { description: 'It is gone.' } },
    handler: (request) => removeContent(content, postResource, request, request.params.slug),
  });
