import { endpoint } from '#platform/http/endpoint.ts';
import { cachedResponse, sendCached } from '#platform/http/response-cache.ts';
import { SLUG, SlugParams } from '#platform/http/schemas.ts';
import { notFound } from '#platform/problem.ts';
import type { Catalog } from '../catalog.ts';
import { postHtml } from '../post-html.ts';
import { renderPost } from '../render-post.ts';
import { Post } from '../schemas.ts';
import { findPost } from '../store.ts';

export const getPublicBlogSlug = ({ db, clock, responses, publicUrl }: Catalog) =>
  endpoint({
    method: 'GET',
    url: '/public/blog/:slug',
    access: { scope: 'public' },
    id: 'getPost',
    tag: 'Catalog',
    summary: 'Show one blog post',
    params: SlugParams,
    answers: { 200: { description: 'The post, as Markdown and as HTML.', schema: Post } },
    problems: [notFound],
    cache: responses.posts,
    async handler(request, reply) {
      const { slug } = request.params;
      const begunAt = responses.posts.epoch;
      const post = SLUG.test(slug) ? await findPost(db, slug, clock.now()) : undefined;
      if (!post) throw notFound('No published post has this slug.');
      const answer = cachedResponse(
        JSON.stringify({ ...renderPost(post, publicUrl()), body: post.body, body_html: postHtml(post.body) }),
      );
      responses.posts.put(request.raw.url!, answer, begunAt);
      return sendCached(request, reply, answer);
    },
  });
