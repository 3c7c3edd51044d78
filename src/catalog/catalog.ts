import type { Deps } from '#module';
import { ResponseCache } from '#platform/http/response-cache.ts';
import { MerchantCache } from './merchant-cache.ts';

const MERCHANTS_BYTES = 64 * 1024 * 1024;
const TEXTS_BYTES = 16 * 1024 * 1024;

export type Catalog = Pick<Deps, 'db' | 'clock' | 'vault' | 'publicUrl'> & {
  merchants: MerchantCache;
  /** Caches of whole answers as bytes; cleared when their data changes. */
  responses: { merchants: ResponseCache; faq: ResponseCache; posts: ResponseCache };
};

export function openCatalog({ db, changeFeed, clock, log, vault, publicUrl }: Deps): Catalog {
  const nowMs = () => clock.now().getTime();
  const merchantResponses: ResponseCache = new ResponseCache({
    maxBytes: MERCHANTS_BYTES,
    usable: () => merchants.current(),
    nowMs,
  });
  const merchants = new MerchantCache({
    db,
    changeFeed,
    log,
    publicUrl,
    onChange: () => merchantResponses.clear(),
  });

  const texts = (topic: string): ResponseCache => {
    const answers = new ResponseCache({ maxBytes: TEXTS_BYTES, usable: () => changeFeed.trusted(), nowMs });
    const clear = () => answers.clear();
    changeFeed.listen({ topic, hear: clear, catchUp: clear });
    return answers;
  };
  const posts = texts('posts');
  // Which posts are published depends on the time.
  clock.onMove?.(() => posts.clear());
  const responses = { merchants: merchantResponses, faq: texts('faq'), posts };
  return { db, clock, vault, publicUrl, merchants, responses };
}
