import type { Events } from '#events';
import type { Command } from '#platform/command.ts';
import type { Queryable } from '#platform/db.ts';
import type { Endpoint } from '#platform/http/endpoint.ts';
import type { Catalog } from './catalog.ts';
import { importCommands } from './commands/import.ts';
import { getPublicBlog } from './http/get-public-blog.ts';
import { getPublicBlogSlug } from './http/get-public-blog-slug.ts';
import { getPublicCategories } from './http/get-public-categories.ts';
import { getPublicFaq } from './http/get-public-faq.ts';
import { getPublicMerchants } from './http/get-public-merchants.ts';
import { getPublicMerchantsSlug } from './http/get-public-merchants-slug.ts';
import { postPublicLeads } from './http/post-public-leads.ts';
import { SAME_LEAD_MS } from './receive-lead.ts';
import { purgeFingerprints } from './store.ts';

export { absoluteUrl } from './absolute-url.ts';
export { type Catalog, openCatalog } from './catalog.ts';
export { writeContent } from './import/write-content.ts';
export type { MerchantCache } from './merchant-cache.ts';
export { countMerchants, findSellingMerchant, type SellingMerchant } from './store.ts';

export function catalogEndpoints(content: Catalog, events: Events): Endpoint[] {
  return [
    getPublicMerchants(content),
    getPublicMerchantsSlug(content),
    getPublicCategories(content),
    getPublicFaq(content),
    getPublicBlog(content),
    getPublicBlogSlug(content),
    postPublicLeads(content, events),
  ];
}

export const catalogCommands: Command[] = importCommands;

export function catalogHousekeeping(db: Queryable, now: Date): Promise<void> {
  return purgeFingerprints(db, new Date(now.getTime() - SAME_LEAD_MS));
}
