import type { Finder, Hit } from '#platform/http/search.ts';
import type { Content } from './content.ts';
import { listAllPosts, listMerchantIds, listMerchantsForStaff } from './store.ts';

/** Merchants and posts, by how their words begin. */
export const findContent =
  ({ db, clock }: Content): Finder =>
  async (q, most) => {
    const at = { offset: 0, limit: most };
    const [merchants, posts] = await Promise.all([
      listMerchantsForStaff(db, { q }, at),
      listAllPosts(db, { q, now: clock.now() }, at),
    ]);
    const named = merchants.rows as Array<{ slug: string; name: string }>;
    const ids = await listMerchantIds(
      db,
      named.map(({ slug }) => slug),
    );
    return [
      ...named.map(
        ({ slug, name }): Hit => ({ kind: 'merchant', id: slug, title: name, merchant_id: ids.get(slug)! }),
      ),
      ...(posts.rows as Array<{ slug: string; title: string }>).map(
        ({ slug, title }): Hit => ({ kind: 'post', id: slug, title }),
      ),
    ];
  };
