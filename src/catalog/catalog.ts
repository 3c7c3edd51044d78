import type { Deps } from '#module';
import { ResponseCache } from '#platform/http/response-cache.ts';
import { MerchantCache } from './merchant-cache.ts';

const MERCHANT_CACHE_BYTES = 64 * 1024 * 1024;
const TEXT_CACHE_BYTES = 16 * 1024 * 1024;

export type Catalog = Pick<Deps, 'db' | 'clock' | 'vault' | 'publicUrl'> & {
  merchants: MerchantCache;
  /** Caches of whole response bodies. Each is cleared when its data changes. */
  responses: { merchants: ResponseCache; faq: ResponseCache; posts: ResponseCache };
};

export function openCatalog({ db, changeFeed, clock, log, vault, publicUrl }: Deps): Catalog {
  const nowMs = () => clock.now().getTime();
  // The responses are usable while the merchants are current, and are cleared when the merchants change.
  const merchantResponses: ResponseCache = new ResponseCache({
    maxBytes: MERCHANT_CACHE_BYTES,
    isUsable: () => merchants.isCurrent(),
    nowMs,
  });
  const merchants = new MerchantCache({
    db,
    changeFeed,
    log,
    publicUrl,
    onChange: () => merchantResponses.clear(),
  });

  const openTextCache = (topic: string): ResponseCache => {
    const cache = new ResponseCache({
      maxBytes: TEXT_CACHE_BYTES,
      isUsable: () => changeFeed.isUpToDate(),
      nowMs,
    });
    const clear = () => cache.clear();
    changeFeed.listen({ topic, onChange: clear, onMissedChanges: clear });
    return cache;
  };
  const posts = openTextCache('posts');
  // The clock decides which posts are published.
  clock.onManualMove?.(() => posts.clear());
  const responses = { merchants: merchantResponses, faq: openTextCache('faq'), posts };
  return { db, clock, vault, publicUrl, merchants, responses };
}
