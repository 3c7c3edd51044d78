import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { LINK_HEADER, linkHeader, pageParameters, paginationOf } from '#platform/http/pagination.ts';
import { readyAnswer, sendReady } from '#platform/http/ready-answers.ts';
import type { Content } from '../content.ts';
import { renderPost } from '../render-post.ts';
import { PostPage } from '../schemas.ts';
import { listPosts } from '../store.ts';

const POSTS_TO_A_PAGE = 10;

export const getPublicBlog = ({ db, clock, ready, publicUrl }: Content) =>
  endpoint({
    method: 'GET',
    url: '/public/blog',
    access: { scope: 'public' },
    id: 'listPosts',
    tag: 'Catalog',
    summary: 'List blog posts',
    description: 'Newest first. Drafts, and posts that are to appear later, are not shown.',
    query: Type.Object(pageParameters(POSTS_TO_A_PAGE)),
    answers: { 200: { description: 'A page of posts.', schema: PostPage, headers: LINK_HEADER } },
    ready: ready.posts,
    async handler(request, reply) {
      const begunAt = ready.posts.epoch;
      const { page, limit } = request.query;
      const { posts, total, nextAt } = await listPosts(db, clock.now(), {
        offset: (page - 1) * limit,
        limit,
      });
      const body = {
        data: posts.map((post) => renderPost(post, publicUrl())),
        pagination: paginationOf({ page, limit }, total),
      };
      const answer = readyAnswer(JSON.stringify(body), {
        link: linkHeader(`${publicUrl()}/public/blog`, { page, limit }, total),
        ...(nextAt && { validUntilMs: nextAt.getTime() }),
      });
      ready.posts.put(request.raw.url!, answer, begunAt);
      return sendReady(request, reply, answer);
    },
  });
