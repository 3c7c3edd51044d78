import type { PageReader } from '../server/catalog-cache.ts';
import type { PageResult } from '../server/page.ts';

export type SiteVisit = {
  reader: PageReader;
  /** The public URL of the site, without a trailing slash. */
  siteUrl: string;
  params: Record<string, string>;
  /** Returns a query parameter, trimmed; undefined if it is empty or repeated. */
  query(name: string): string | undefined;
  /** The requested page of a list, at least 1. */
  page(): number;
};

export type SitePageHandler = (visit: SiteVisit) => Promise<PageResult>;
