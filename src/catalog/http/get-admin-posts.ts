import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { Pagination, pageParameters } from '#platform/http/pagination.ts';
import { type Content, listContent } from '../admin/content.ts';
import { postResource, StaffPost } from '../admin/resources.ts';

export const getAdminPosts = (content: Content) =>
  endpoint({
    method: 'GET',
    url: '/admin/posts',
    access: { scope: 'operator', role: 'viewer' },
    id: 'listPostForStaff',
    tag: 'Content',
    summary: 'List posts, shown or not',
    query: Type.Object({ ...pageParameters() }),
    answers: {
      200: {
        description: 'A page of posts, drafts first, then the newest.',
        schema: Type.Object({ data: Type.Array(StaffPost), pagination: Pagination }),
      },
    },
    handler: (request) => listContent(content, postResource, request.query),
  });
