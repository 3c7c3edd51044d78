import type { PageReader } from '../server/catalog-cache.ts';
import type { createQueryReader, PageResult } from '../server/page.ts';

export type SiteVisit = ReturnType<typeof createQueryReader> & {
  reader: PageReader;
  /** The public URL of the site, without a trailing slash. */
  siteUrl: string;
  params: Record<string, string>;
};

export type SitePageHandler = (visit: SiteVisit) => Promise<PageResult>;
