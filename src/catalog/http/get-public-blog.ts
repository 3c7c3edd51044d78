import { type Static, Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { LINK_HEADER, linkHeader, pageParameters, paginationOf } from '#platform/http/pagination.ts';
import { cachedResponse, sendCached } from '#platform/http/response-cache.ts';
import type { Catalog } from '../catalog.ts';
import { renderPost } from '../render-post.ts';
import { PostPage } from '../schemas.ts';
import { listPosts } from '../store.ts';

const POSTS_TO_A_PAGE = 10;

export const getPublicBlog = ({ db, clock, responses, publicUrl }: Catalog) =>
  endpoint('GET /public/blog', {
    access: { scope: 'public' },
    id: 'listPosts',
    summary: 'List blog posts',
    description: 'Newest first. Drafts, and posts that are to appear later, are not shown.',
    query: Type.Object(pageParameters(POSTS_TO_A_PAGE)),
    answers: { 200: { description: 'A page of posts.', schema: PostPage, headers: LINK_HEADER } },
    cache: responses.posts,
    async handler(request, reply) {
      const begunAt = responses.posts.epoch;
      const { page, limit } = request.query;
      const { posts, total, nextAt } = await listPosts(db, clock.now(), {
        offset: (page - 1) * limit,
        limit,
      });
      const body: Static<typeof PostPage> = {
        data: posts.map((post) => renderPost(post, publicUrl())),
        pagination: paginationOf({ page, limit }, total),
      };
      const answer = cachedResponse(JSON.stringify(body), {
        link: linkHeader(`${publicUrl()}/public/blog`, { page, limit }, total),
        ...(nextAt && { validUntilMs: nextAt.getTime() }),
      });
      responses.posts.put(request.raw.url!, answer, begunAt);
      return sendCached(request, reply, answer);
    },
  });
