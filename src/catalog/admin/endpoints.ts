import type { Endpoint } from '#platform/http/endpoint.ts';
import { deleteAdminCategoriesSlug } from '../http/delete-admin-categories-slug.ts';
import { deleteAdminFaqId } from '../http/delete-admin-faq-id.ts';
import { deleteAdminLeadsId } from '../http/delete-admin-leads-id.ts';
import { deleteAdminMediaName } from '../http/delete-admin-media-name.ts';
import { deleteAdminMerchantsSlug } from '../http/delete-admin-merchants-slug.ts';
import { deleteAdminPostsSlug } from '../http/delete-admin-posts-slug.ts';
import { getAdminCategories } from '../http/get-admin-categories.ts';
import { getAdminCategoriesSlug } from '../http/get-admin-categories-slug.ts';
import { getAdminFaq } from '../http/get-admin-faq.ts';
import { getAdminFaqId } from '../http/get-admin-faq-id.ts';
import { getAdminLeads } from '../http/get-admin-leads.ts';
import { getAdminLeadsId } from '../http/get-admin-leads-id.ts';
import { getAdminMedia } from '../http/get-admin-media.ts';
import { getAdminMerchants } from '../http/get-admin-merchants.ts';
import { getAdminMerchantsSlug } from '../http/get-admin-merchants-slug.ts';
import { getAdminPosts } from '../http/get-admin-posts.ts';
import { getAdminPostsSlug } from '../http/get-admin-posts-slug.ts';
import { patchAdminCategoriesSlug } from '../http/patch-admin-categories-slug.ts';
import { patchAdminFaqId } from '../http/patch-admin-faq-id.ts';
import { patchAdminLeadsId } from '../http/patch-admin-leads-id.ts';
import { patchAdminMerchantsSlug } from '../http/patch-admin-merchants-slug.ts';
import { patchAdminPostsSlug } from '../http/patch-admin-posts-slug.ts';
import { postAdminCategories } from '../http/post-admin-categories.ts';
import { postAdminFaq } from '../http/post-admin-faq.ts';
import { postAdminMedia } from '../http/post-admin-media.ts';
import { postAdminMerchants } from '../http/post-admin-merchants.ts';
import { postAdminPosts } from '../http/post-admin-posts.ts';
import { putAdminMerchantsSlugLogo } from '../http/put-admin-merchants-slug-logo.ts';
import { putAdminPostsSlugCover } from '../http/put-admin-posts-slug-cover.ts';
import type { Content } from './content.ts';

/** What people of the operator's change in the catalog. */
export const contentEndpoints = (content: Content): Endpoint[] =>
  [
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
  ].map((open) => open(content));
