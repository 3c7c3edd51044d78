import type { Searcher, SearchHit } from '#platform/http/search.ts';
import type { ContentDeps } from './content.ts';
import { listMerchantIds, listMerchantsForStaff, listPostsForStaff } from './store.ts';

/** Finds merchants by the beginnings of words, and posts by text that they contain. */
export const searchContent =
  ({ db, clock, merchants: cache }: Pick<ContentDeps, 'db' | 'clock' | 'merchants'>): Searcher =>
  async (q, limit) => {
    const range = { offset: 0, limit };
    const [merchants, posts] = await Promise.all([
      listMerchantsForStaff(db, { q, merchants: cache }, range),
      listPostsForStaff(db, { q, now: clock.now() }, range),
    ]);
    const merchantRows = merchants.rows as Array<{ slug: string; name: string }>;
    const ids = await listMerchantIds(
      db,
      merchantRows.map(({ slug }) => slug),
    );
    return [
      ...merchantRows.map(
        ({ slug, name }): SearchHit => ({
          kind: 'merchant',
          id: slug,
          title: name,
          merchant_id: ids.get(slug)!,
        }),
      ),
      ...(posts.rows as Array<{ slug: string; title: string }>).map(
        ({ slug, title }): SearchHit => ({ kind: 'post', id: slug, title }),
      ),
    ];
  };
