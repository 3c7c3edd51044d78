import type { Static } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { cachedResponse, sendCached } from '#platform/http/response-cache.ts';
import { slugParams } from '#platform/http/schemas.ts';
import type { Catalog } from '../catalog.ts';
import { renderPost } from '../render-post.ts';
import { Post } from '../schemas.ts';
import { findPost } from '../store.ts';

export const getPublicBlogSlug = ({ db, clock, responses, publicUrl }: Catalog) =>
  endpoint('GET /public/blog/:slug', {
    access: { scope: 'public' },
    id: 'getPost',
    summary: 'Show one blog post',
    params: slugParams('glossario-do-credito-semanal'),
    notFound: { en: 'No published post has this slug.', pt: 'Nenhum artigo publicado tem este slug.' },
    answers: { 200: { description: 'The post, as Markdown and as HTML.', schema: Post } },
    cache: responses.posts,
    async handler(request, reply) {
      const { slug } = request.params;
      const begunAt = responses.posts.epoch;
      const post = await findPost(db, slug, clock.now());
      if (!post) throw request.notFound();
      const body: Static<typeof Post> = {
        ...renderPost(post, publicUrl()),
        body: post.body,
        body_html: post.body_html,
      };
      const answer = cachedResponse(JSON.stringify(body));
      responses.posts.put(request.raw.url!, answer, begunAt);
      return sendCached(request, reply, answer);
    },
  });
