import { type Static, Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import {
  buildLinkHeader,
  LINK_HEADER,
  pageParameters,
  toPageRange,
  toPagination,
} from '#platform/http/pagination.ts';
import { project } from '#platform/http/project.ts';
import { createCachedResponse } from '#platform/http/response-cache.ts';
import { slugParams } from '#platform/http/schemas.ts';
import type { Catalog } from '../catalog.ts';
import { toAbsoluteUrl } from '../media/media.ts';
import { FaqList, FaqTopicList, Post, PostPage, PostSummary } from '../schemas.ts';
import { findPost, listFaq, listFaqTopics, listPosts, type PostRow } from '../store.ts';

export const getPublicFaq = ({ db, responses }: Catalog) =>
  endpoint('GET /public/faq', {
    access: { scope: 'public' },
    id: 'listFaq',
    summary: 'List FAQ entries',
    query: Type.Object({
      topic: Type.Optional(
        Type.String({
          maxLength: 100,
          pattern: '^[^\\u0000]*$',
          description: 'Only entries of this topic.',
          examples: ['pagamentos'],
        }),
      ),
    }),
    responses: { 200: { description: 'The entries, grouped by topic.', schema: FaqList } },
    cache: responses.faq,
    handler: (request, reply) =>
      responses.faq.respond({ request, reply }, async () => {
        // HTML forms send empty fields too.
        const topic = request.query.topic || null;
        const body: Static<typeof FaqList> = { data: await listFaq(db, topic) };
        return createCachedResponse(JSON.stringify(body));
      }),
  });

export const getPublicFaqTopics = ({ db, responses }: Catalog) =>
  endpoint('GET /public/faq/topics', {
    access: { scope: 'public' },
    id: 'listFaqTopics',
    summary: 'List FAQ topics',
    responses: { 200: { description: 'The topics, by name.', schema: FaqTopicList } },
    cache: responses.faq,
    handler: (request, reply) =>
      responses.faq.respond({ request, reply }, async () => {
        const body: Static<typeof FaqTopicList> = { data: await listFaqTopics(db) };
        return createCachedResponse(JSON.stringify(body));
      }),
  });

const POSTS_PER_PAGE = 10;

const renderPostSummary = (post: PostRow, publicUrl: string): Static<typeof PostSummary> => ({
  ...project(PostSummary, post),
  cover_url: toAbsoluteUrl(post.cover_url, publicUrl),
});

export const getPublicBlog = ({ db, clock, responses, publicUrl }: Catalog) =>
  endpoint('GET /public/blog', {
    access: { scope: 'public' },
    id: 'listPosts',
    summary: 'List blog posts',
    description: 'Lists posts, newest first, without drafts and scheduled posts.',
    query: Type.Object(pageParameters(POSTS_PER_PAGE)),
    responses: { 200: { description: 'A page of posts.', schema: PostPage, headers: LINK_HEADER } },
    cache: responses.posts,
    handler: (request, reply) =>
      responses.posts.respond({ request, reply }, async () => {
        const { page, limit } = request.query;
        const { posts, total, nextPostAt } = await listPosts(db, clock.now(), toPageRange({ page, limit }));
        const body: Static<typeof PostPage> = {
          data: posts.map((post) => renderPostSummary(post, publicUrl())),
          pagination: toPagination({ page, limit }, total),
        };
        return createCachedResponse(JSON.stringify(body), {
          link: buildLinkHeader(`${publicUrl()}/public/blog`, { page, limit }, total),
          ...(nextPostAt && { validUntilMs: nextPostAt.getTime() }),
        });
      }),
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
    handler: (request, reply) =>
      responses.posts.respond({ request, reply }, async () => {
        const post = await findPost(db, request.params.slug, clock.now());
        if (!post) throw request.notFound();
        const { body, body_html } = post;
        const postBody: Static<typeof Post> = { ...renderPostSummary(post, publicUrl()), body, body_html };
        return createCachedResponse(JSON.stringify(postBody));
      }),
  });
