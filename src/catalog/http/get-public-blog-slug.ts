import { endpoint } from '#platform/http/endpoint.ts';
import { readyAnswer, sendReady } from '#platform/http/ready-answers.ts';
import { SLUG, SlugParams } from '#platform/http/schemas.ts';
import { notFound } from '#platform/problem.ts';
import type { Content } from '../content.ts';
import { postHtml } from '../post-html.ts';
import { renderPost } from '../render-post.ts';
import { Post } from '../schemas.ts';
import { findPost } from '../store.ts';

export const getPublicBlogSlug = ({ db, clock, ready, publicUrl }: Content) =>
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
    ready: ready.posts,
    async handler(request, reply) {
      const { slug } = request.params;
      const begunAt = ready.posts.epoch;
      const post = SLUG.test(slug) ? await findPost(db, slug, clock.now()) : undefined;
      if (!post) throw notFound('No published post has this slug.');
      const answer = readyAnswer(
        JSON.stringify({ ...renderPost(post, publicUrl()), body: post.body, body_html: postHtml(post.body) }),
      );
      ready.posts.put(request.raw.url!, answer, begunAt);
      return sendReady(request, reply, answer);
    },
  });
