import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { listAnswer, listParameters } from '#platform/http/listing.ts';
import { Text } from '#platform/http/schemas.ts';
import { type Content, listContent } from '../admin/content.ts';
import { postResource, StaffPost } from '../admin/resources.ts';
import { POST_STATUSES } from '../admin/store.ts';

export const getAdminPosts = (content: Content) =>
  endpoint('GET /admin/posts', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listPostForStaff',
    summary: 'List posts, shown or not',
    query: Type.Object({
      ...listParameters(),
      q: Type.Optional(
        Text(200, { description: 'What stands in title or summary, without regard to case and accents.' }),
      ),
      status: Type.Optional(Type.Enum([...POST_STATUSES])),
    }),
    answers: listAnswer(
      'A page of posts: drafts, then the newest; or the oldest, and drafts last.',
      StaffPost,
    ),
    handler: (request, reply) => listContent(content, postResource, { request, reply }),
  });
