import { type Finder, HITS, type Hit } from '#platform/http/search.ts';
import type { Content } from './content.ts';
import { listAllPosts, listMerchantsForStaff } from './store.ts';

/** Merchants and posts, by how their words begin. */
export const findContent =
  ({ db, clock }: Content): Finder =>
  async (q) => {
    const at = { offset: 0, limit: HITS };
    const [merchants, posts] = await Promise.all([
      listMerchantsForStaff(db, { q }, at),
      listAllPosts(db, { q, now: clock.now() }, at),
    ]);
    return [
      ...(merchants.rows as Array<{ slug: string; name: string }>).map(
        ({ slug, name }): Hit => ({ kind: 'merchant', id: slug, title: name }),
      ),
      ...(posts.rows as Array<{ slug: string; title: string }>).map(
        ({ slug, title }): Hit => ({ kind: 'post', id: slug, title }),
      ),
    ];
  };
