import { endpoint } from '#platform/http/endpoint.ts';
import { idempotency } from '#platform/http/idempotency.ts';
import { type Content, createContent } from '../admin/content.ts';
import { PostForm, postResource, StaffPost } from '../admin/resources.ts';
import { alreadyExists } from '../problems.ts';

export const postAdminPosts = (content: Content) =>
  endpoint('POST /admin/posts', {
    access: { scope: 'operator', role: 'content' },
    id: 'createPost',
    summary: 'Add a post',
    headers: idempotency.header,
    body: PostForm,
    bodyLimitBytes: 1024 * 1024,
    answers: { 201: { description: 'The post.', schema: StaffPost } },
    problems: [...idempotency.problems, alreadyExists],
    handler: (request, reply) => createContent(content, postResource, { request, reply }),
  });
