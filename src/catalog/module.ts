import { defineModule } from '#module';
import { merchantIdLookup, merchantSlugLookup } from '#partners';
import { buildEndpoints } from '#platform/http/endpoint.ts';
import { bindService } from '#platform/service.ts';
import { openCatalog } from './catalog.ts';
import { buildImportCommands, exportCommands } from './commands/import-export.ts';
import { maxPlanRate } from './content/kinds.ts';
import { createContentSearcher } from './content/store.ts';
import * as endpoints from './http/index.ts';
import { DUPLICATE_LEAD_WINDOW_MS } from './leads/leads.ts';
import { countNewLeads, purgeLeadFingerprints } from './leads/store.ts';
import { merchantCache } from './merchant-cache.ts';
import { catalogPersonalData } from './personal-data.ts';
import { catalogSettings } from './settings.ts';
import { findMerchantSlugs, findMerchantWithPlan } from './store.ts';

export const catalogModule = defineModule({
  name: 'catalog',
  settings: catalogSettings,
  tags: {
    partner: [
      {
        name: 'Public catalog',
        paths: ['/public', '/media'],
        firstRoutes: [
          'GET /public/merchants',
          'GET /public/merchants/:slug',
          'GET /public/categories',
          'GET /public/faq',
          'GET /public/faq/topics',
          'GET /public/blog',
          'GET /public/blog/:slug',
          'POST /public/leads',
        ],
        description: 'Public content of a website: merchants, categories, FAQ, blog posts and lead forms.',
      },
    ],
    staff: [
      { name: 'Merchants', paths: ['/admin/merchants'], description: 'Merchants and their plans.' },
      {
        name: 'Content',
        paths: [
          '/admin/categories',
          '/admin/faq',
          '/admin/posts',
          '/admin/post-text',
          '/admin/media',
          '/admin/import',
        ],
        description: 'Categories, FAQ, blog posts and pictures of the public catalog.',
      },
      { name: 'Leads', paths: ['/admin/leads'], description: 'Contact requests from lead forms.' },
    ],
  },
  provides: [
    bindService(merchantIdLookup, async (db, slug) => (await findMerchantWithPlan(db, slug))?.id),
    bindService(merchantSlugLookup, findMerchantSlugs),
  ],
  personalData: catalogPersonalData,
  commands: ({ findService }) => [...buildImportCommands(findService(maxPlanRate)!), ...exportCommands],
  open(deps) {
    const catalog = openCatalog(deps);
    deps.provideService(merchantCache, catalog.merchants);
    return {
      ...buildEndpoints(endpoints, {
        ...deps,
        ...deps.settings,
        ...catalog,
        // The credit module, which opens later, provides the service.
        getMaxRate: () => deps.findService(maxPlanRate)!(),
      }),
      search: createContentSearcher({ ...deps, merchants: catalog.merchants }),
      pendingWork: { leads: () => countNewLeads(deps.db) },
      mediaDirectories: [deps.config.mediaDir],
      housekeeping: (now) =>
        purgeLeadFingerprints(deps.db, new Date(now.getTime() - DUPLICATE_LEAD_WINDOW_MS)),
      readinessChecks: { catalog: () => catalog.merchants.isCurrent() },
      start: () => catalog.merchants.waitUntilCurrent(),
    };
  },
});
