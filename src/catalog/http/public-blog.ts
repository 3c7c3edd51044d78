import { type Static, Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { buildLinkHeader, LINK_HEADER, pageParameters, toPagination } from '#platform/http/pagination.ts';
import { createCachedResponse, sendCached } from '#platform/http/response-cache.ts';
import { slugParams } from '#platform/http/schemas.ts';
import type { Catalog } from '../catalog.ts';
import { toAbsoluteUrl } from '../media/store.ts';
import { Post, PostPage, type PostSummary } from '../schemas.ts';
import { findPost, listPosts, type PostRow } from '../store.ts';

const POSTS_PER_PAGE = 10;

/** A post as lists contain it, without its text. */
const renderPost = (post: PostRow, publicUrl: string): Static<typeof PostSummary> => ({
  slug: post.slug,
  title: post.title,
  summary: post.summary,
  cover_url: toAbsoluteUrl(post.cover_url, publicUrl),
  author: post.author,
  tags: post.tags,
  published_at: post.published_at.toISOString(),
});

export const getPublicBlog = ({ db, clock, responses, publicUrl }: Catalog) =>
  endpoint('GET /public/blog', {
    access: { scope: 'public' },
    id: 'listPosts',
    summary: 'List blog posts',
    description: 'Newest first, without drafts and scheduled posts.',
    query: Type.Object(pageParameters(POSTS_PER_PAGE)),
    responses: { 200: { description: 'A page of posts.', schema: PostPage, headers: LINK_HEADER } },
    cache: responses.posts,
    async handler(request, reply) {
      const cacheEpoch = responses.posts.epoch;
      const { page, limit } = request.query;
      const { posts, total, nextAt } = await listPosts(db, clock.now(), {
        offset: (page - 1) * limit,
        limit,
      });
      const body: Static<typeof PostPage> = {
        data: posts.map((post) => renderPost(post, publicUrl())),
        pagination: toPagination({ page, limit }, total),
      };
      const response = createCachedResponse(JSON.stringify(body), {
        link: buildLinkHeader(`${publicUrl()}/public/blog`, { page, limit }, total),
        ...(nextAt && { validUntilMs: nextAt.getTime() }),
      });
      responses.posts.put(request.raw.url!, response, cacheEpoch);
      return sendCached(request, reply, response);
    },
  });

export const getPublicBlogSlug = ({ db, clock, responses, publicUrl }: Catalog) =>
  endpoint('GET /public/blog/:slug', {
    access: { scope: 'public' },
    id: 'getPost',
    summary: 'Get a blog post',
    params: slugParams('glossario-do-credito-semanal'),
    notFound: { en: 'No published post has this slug.', pt: 'Nenhum artigo publicado tem este slug.' },
    responses: { 200: { description: 'The post, with its text as Markdown and as HTML.', schema: Post } },
    cache: responses.posts,
    async handler(request, reply) {
      const { slug } = request.params;
      const cacheEpoch = responses.posts.epoch;
      const post = await findPost(db, slug, clock.now());
      if (!post) throw request.notFound();
      const body: Static<typeof Post> = {
        ...renderPost(post, publicUrl()),
        body: post.body,
        body_html: post.body_html,
      };
      const response = createCachedResponse(JSON.stringify(body));
      responses.posts.put(request.raw.url!, response, cacheEpoch);
      return sendCached(request, reply, response);
    },
  });
