import type { Made } from '../server/page.ts';
import type { PageReader } from '../server/reader.ts';

export type Visit = {
  reader: PageReader;
  /** Of the site, without a slash at the end. */
  siteUrl: string;
  params: Record<string, string>;
  /** Trimmed; undefined if empty or repeated. */
  query(name: string): string | undefined;
  /** A whole number from 1 on. */
  page(): number;
};

export type MakePage = (visit: Visit) => Promise<Made>;
