import { absoluteUrl } from './absolute-url.ts';
import type { PostRow } from './store.ts';

/** A post as it appears in a list; a single post adds its text. */
export function renderPost(post: PostRow, publicUrl: string) {
  return {
    slug: post.slug,
    title: post.title,
    summary: post.summary,
    cover_url: absoluteUrl(post.cover_url, publicUrl),
    author: post.author,
    tags: post.tags,
    published_at: post.published_at.toISOString(),
  };
}
