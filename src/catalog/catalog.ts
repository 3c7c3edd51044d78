import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/database/db.ts';
import { ResponseCache } from '#platform/http/response-cache.ts';
import type { ChangeFeed } from '#platform/nodes/change-feed.ts';
import type { Log } from '#platform/observability/log.ts';
import type { Vault } from '#platform/privacy/vault.ts';
import { MerchantCache } from './merchant-cache.ts';

const MERCHANTS_BYTES = 64 * 1024 * 1024;
const TEXTS_BYTES = 16 * 1024 * 1024;

export type Catalog = {
  db: Db;
  clock: Clock;
  vault: Vault;
  publicUrl: () => string;
  merchants: MerchantCache;
  /** Caches of whole answers as bytes; cleared when their data changes. */
  responses: { merchants: ResponseCache; faq: ResponseCache; posts: ResponseCache };
};

export function openCatalog(parts: {
  db: Db;
  changeFeed: ChangeFeed;
  clock: Clock;
  log: Log;
  vault: Vault;
  publicUrl: () => string;
}): Catalog {
  const { db, changeFeed, clock, log, vault, publicUrl } = parts;
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
