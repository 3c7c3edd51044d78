import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db.ts';
import { ReadyAnswers } from '#platform/http/ready-answers.ts';
import type { Log } from '#platform/log.ts';
import type { News } from '#platform/news.ts';
import { MerchantShelf } from './merchant-shelf.ts';

const MERCHANTS_BYTES = 64 * 1024 * 1024;
const TEXTS_BYTES = 16 * 1024 * 1024;

/** What the catalog's endpoints answer from. */
export type Content = {
  db: Db;
  clock: Clock;
  publicUrl: () => string;
  shelf: MerchantShelf;
  /** Answers kept as bytes until what they were made from changes. */
  ready: { merchants: ReadyAnswers; faq: ReadyAnswers; posts: ReadyAnswers };
};

export function openContent(parts: {
  db: Db;
  news: News;
  clock: Clock;
  log: Log;
  publicUrl: () => string;
}): Content {
  const { db, news, clock, log, publicUrl } = parts;
  const nowMs = () => clock.now().getTime();
  const merchants: ReadyAnswers = new ReadyAnswers({
    maxBytes: MERCHANTS_BYTES,
    usable: () => shelf.current(),
    nowMs,
  });
  const shelf = new MerchantShelf({ db, news, log, publicUrl, onChange: () => merchants.clear() });

  const texts = (topic: string): ReadyAnswers => {
    const answers = new ReadyAnswers({ maxBytes: TEXTS_BYTES, usable: () => news.trusted(), nowMs });
    const forget = () => answers.clear();
    news.listen({ topic, hear: forget, catchUp: forget });
    return answers;
  };
  return { db, clock, publicUrl, shelf, ready: { merchants, faq: texts('faq'), posts: texts('posts') } };
}
