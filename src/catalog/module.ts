import { defineModule } from '#module';
import { merchantDirectory, merchantSlugs } from '#partners';
import { openEndpoints } from '#platform/http/endpoint.ts';
import { provided } from '#platform/service.ts';
import { findContent } from './admin/find-content.ts';
import { openCatalog } from './catalog.ts';
import { exportCommands } from './commands/export.ts';
import { importCommands } from './commands/import.ts';
import { leadCommands } from './commands/lead.ts';
import { mediaCommands } from './commands/media.ts';
import { removeCommands } from './commands/remove.ts';
import * as endpoints from './http/index.ts';
import { countNewLeads, purgeFingerprints } from './lead-store.ts';
import { merchantCache } from './merchant-cache.ts';
import { catalogData } from './personal-data.ts';
import { SAME_LEAD_MS } from './receive-lead.ts';
import { catalogSettings } from './settings.ts';
import { findMerchantSlugs, findSellingMerchant } from './store.ts';

export const catalogModule = defineModule({
  name: 'catalog',
  settings: catalogSettings,
  tags: {
    front: [
      {
        name: 'Catalog',
        paths: ['/public', '/media'],
        description: 'What an institutional website shows: merchants, questions, posts, forms.',
      },
    ],
    staff: [
      {
        name: 'Content',
        paths: [
          '/admin/categories',
          '/admin/faq',
          '/admin/import',
          '/admin/leads',
          '/admin/media',
          '/admin/merchants',
          '/admin/post-text',
          '/admin/posts',
        ],
        description: 'What the catalog shows.',
      },
    ],
  },
  provides: [
    provided(merchantDirectory, async (db, slug) => (await findSellingMerchant(db, slug))?.id),
    provided(merchantSlugs, findMerchantSlugs),
  ],
  personalData: catalogData,
  commands: () => [
    ...importCommands,
    ...exportCommands,
    ...removeCommands,
    ...mediaCommands,
    ...leadCommands,
  ],
  open(deps) {
    const catalog = openCatalog(deps);
    deps.provide(merchantCache, catalog.merchants);
    return {
      ...openEndpoints(endpoints, { ...deps, ...deps.settings, ...catalog }),
      search: findContent(deps),
      waiting: { leads: () => countNewLeads(deps.db) },
      media: [deps.config.mediaDir],
      housekeeping: (now) => purgeFingerprints(deps.db, new Date(now.getTime() - SAME_LEAD_MS)),
      ready: { catalog: () => catalog.merchants.current() },
      start: () => catalog.merchants.whenCurrent(),
    };
  },
});
