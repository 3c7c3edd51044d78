import type { Client } from '#client';
import type { createQueryReader, PageResult } from '../server/page.ts';

export type SiteVisit = ReturnType<typeof createQueryReader> & {
  api: Client;
  /** The public URL of the site, without a trailing slash. */
  siteUrl: string;
  params: Record<string, string>;
};

export type SitePageHandler = (visit: SiteVisit) => Promise<PageResult>;
