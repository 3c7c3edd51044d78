import { endpoint } from '#platform/http/endpoint.ts';
import { slugParams } from '#platform/http/schemas.ts';
import { changeProblems, ifMatchHeader } from '#platform/privacy/trail.ts';
import { type Content, changeContent } from '../admin/content.ts';
import { PostChange, postResource, StaffPost } from '../admin/resources.ts';
import { NO_POST } from '../problems.ts';

export const patchAdminPostsSlug = (content: Content) =>
  endpoint('PATCH /admin/posts/:slug', {
    access: { scope: 'operator', role: 'content' },
    id: 'changePost',
    summary: 'Change a post: only what is sent',
    params: slugParams('glossario-do-credito-semanal'),
    notFound: NO_POST,
    headers: ifMatchHeader,
    body: PostChange,
    bodyLimitBytes: 1024 * 1024,
    answers: { 200: { description: 'The post.', schema: StaffPost, etag: true } },
    problems: changeProblems,
    handler: (request) => changeContent(content, postResource, request, request.params.slug),
  });
