import { defineModule } from '#module';
import { merchantDirectory, merchantSlugs } from '#partners';
import { provided } from '#platform/service.ts';
import { openCatalog } from './catalog.ts';
import { exportCommands } from './commands/export.ts';
import { importCommands } from './commands/import.ts';
import { leadCommands } from './commands/lead.ts';
import { mediaCommands } from './commands/media.ts';
import { removeCommands } from './commands/remove.ts';
import { deleteAdminCategoriesSlug } from './http/delete-admin-categories-slug.ts';
import { deleteAdminFaqId } from './http/delete-admin-faq-id.ts';
import { deleteAdminLeadsId } from './http/delete-admin-leads-id.ts';
import { deleteAdminMediaName } from './http/delete-admin-media-name.ts';
import { deleteAdminMerchantsSlug } from './http/delete-admin-merchants-slug.ts';
import { deleteAdminPostsSlug } from './http/delete-admin-posts-slug.ts';
import { getAdminCategories } from './http/get-admin-categories.ts';
import { getAdminCategoriesSlug } from './http/get-admin-categories-slug.ts';
import { getAdminFaq } from './http/get-admin-faq.ts';
import { getAdminFaqId } from './http/get-admin-faq-id.ts';
import { getAdminLeads } from './http/get-admin-leads.ts';
import { getAdminLeadsId } from './http/get-admin-leads-id.ts';
import { getAdminMedia } from './http/get-admin-media.ts';
import { getAdminMerchants } from './http/get-admin-merchants.ts';
import { getAdminMerchantsSlug } from './http/get-admin-merchants-slug.ts';
import { getAdminPosts } from './http/get-admin-posts.ts';
import { getAdminPostsSlug } from './http/get-admin-posts-slug.ts';
import { getMediaFilesName } from './http/get-media-files-name.ts';
import { getPublicBlog } from './http/get-public-blog.ts';
import { getPublicBlogSlug } from './http/get-public-blog-slug.ts';
import { getPublicCategories } from './http/get-public-categories.ts';
import { getPublicFaq } from './http/get-public-faq.ts';
import { getPublicMerchants } from './http/get-public-merchants.ts';
import { getPublicMerchantsSlug } from './http/get-public-merchants-slug.ts';
import { patchAdminCategoriesSlug } from './http/patch-admin-categories-slug.ts';
import { patchAdminFaqId } from './http/patch-admin-faq-id.ts';
import { patchAdminLeadsId } from './http/patch-admin-leads-id.ts';
import { patchAdminMerchantsSlug } from './http/patch-admin-merchants-slug.ts';
import { patchAdminPostsSlug } from './http/patch-admin-posts-slug.ts';
import { postAdminCategories } from './http/post-admin-categories.ts';
import { postAdminFaq } from './http/post-admin-faq.ts';
import { postAdminMedia } from './http/post-admin-media.ts';
import { postAdminMerchants } from './http/post-admin-merchants.ts';
import { postAdminPosts } from './http/post-admin-posts.ts';
import { postPublicLeads } from './http/post-public-leads.ts';
import { putAdminMerchantsSlugLogo } from './http/put-admin-merchants-slug-logo.ts';
import { putAdminPostsSlugCover } from './http/put-admin-posts-slug-cover.ts';
import { purgeFingerprints } from './lead-store.ts';
import { imageRefused } from './media/media.ts';
import { merchantCache } from './merchant-cache.ts';
import { catalogData } from './personal-data.ts';
import { catalogPortuguese } from './portuguese.ts';
import { alreadyExists, stillUsed } from './problems.ts';
import { SAME_LEAD_MS } from './receive-lead.ts';
import { findMerchantSlugs, findSellingMerchant } from './store.ts';

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
      staff: [
        getAdminMerchants,
        postAdminMerchants,
        getAdminMerchantsSlug,
        patchAdminMerchantsSlug,
        deleteAdminMerchantsSlug,
        getAdminCategories,
        postAdminCategories,
        getAdminCategoriesSlug,
        patchAdminCategoriesSlug,
        deleteAdminCategoriesSlug,
        getAdminFaq,
        postAdminFaq,
        getAdminFaqId,
        patchAdminFaqId,
        deleteAdminFaqId,
        getAdminPosts,
        postAdminPosts,
        getAdminPostsSlug,
        patchAdminPostsSlug,
        deleteAdminPostsSlug,
        getAdminMedia,
        postAdminMedia,
        deleteAdminMediaName,
        putAdminMerchantsSlugLogo,
        putAdminPostsSlugCover,
        getAdminLeads,
        getAdminLeadsId,
        patchAdminLeadsId,
        deleteAdminLeadsId,
      ].map((open) => open(deps)),
      media: [deps.config.mediaDir],
      housekeeping: (now) => purgeFingerprints(deps.db, new Date(now.getTime() - SAME_LEAD_MS)),
      ready: { catalog: () => catalog.merchants.current() },
      start: () => catalog.merchants.whenCurrent(),
    };
  },
});
