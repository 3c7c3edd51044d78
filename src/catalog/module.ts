import { defineModule, provided } from '#module';
import { merchantDirectory } from '#partners';
import { contentEndpoints } from './admin/endpoints.ts';
import { openCatalog } from './catalog.ts';
import { exportCommands } from './commands/export.ts';
import { importCommands } from './commands/import.ts';
import { leadCommands } from './commands/lead.ts';
import { mediaCommands } from './commands/media.ts';
import { getMediaFilesName } from './http/get-media-files-name.ts';
import { getPublicBlog } from './http/get-public-blog.ts';
import { getPublicBlogSlug } from './http/get-public-blog-slug.ts';
import { getPublicCategories } from './http/get-public-categories.ts';
import { getPublicFaq } from './http/get-public-faq.ts';
import { getPublicMerchants } from './http/get-public-merchants.ts';
import { getPublicMerchantsSlug } from './http/get-public-merchants-slug.ts';
import { postPublicLeads } from './http/post-public-leads.ts';
import { purgeFingerprints } from './lead-store.ts';
import { imageRefused } from './media/media.ts';
import { merchantCache } from './merchant-cache.ts';
import { catalogData } from './personal-data.ts';
import { catalogPortuguese } from './portuguese.ts';
import { alreadyExists, stillUsed } from './problems.ts';
import { SAME_LEAD_MS } from './receive-lead.ts';
import { findSellingMerchant } from './store.ts';

export const catalogModule = defineModule({
  name: 'catalog',
  tags: {
    front: [
      {
        name: 'Catalog',
        description: 'What an institutional website shows: merchants, questions, posts, forms.',
      },
    ],
    staff: [{ name: 'Content', description: 'What the catalog shows.' }],
  },
  problems: [alreadyExists, stillUsed, imageRefused],
  portuguese: catalogPortuguese,
  provides: [provided(merchantDirectory, async (db, slug) => (await findSellingMerchant(db, slug))?.id)],
  personalData: catalogData,
  commands: () => [...importCommands, ...exportCommands, ...mediaCommands, ...leadCommands],
  open(deps) {
    const catalog = openCatalog(deps);
    deps.provide(merchantCache, catalog.merchants);
    return {
      front: [
        getPublicMerchants(catalog),
        getPublicMerchantsSlug(catalog),
        getPublicCategories(catalog),
        getPublicFaq(catalog),
        getPublicBlog(catalog),
        getPublicBlogSlug(catalog),
        postPublicLeads(catalog, deps.events),
        getMediaFilesName(catalog),
      ],
      staff: contentEndpoints(deps),
      media: [deps.config.mediaDir],
      housekeeping: (now) => purgeFingerprints(deps.db, new Date(now.getTime() - SAME_LEAD_MS)),
      ready: { catalog: () => catalog.merchants.current() },
      start: () => catalog.merchants.whenCurrent(),
    };
  },
});
