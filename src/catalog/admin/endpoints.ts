import type { Endpoint } from '#platform/http/endpoint.ts';
import { deleteAdminCategoriesSlug } from '../http/delete-admin-categories-slug.ts';
import { deleteAdminFaqId } from '../http/delete-admin-faq-id.ts';
import { deleteAdminMerchantsSlug } from '../http/delete-admin-merchants-slug.ts';
import { deleteAdminPostsSlug } from '../http/delete-admin-posts-slug.ts';
import { getAdminCategories } from '../http/get-admin-categories.ts';
import { getAdminCategoriesSlug } from '../http/get-admin-categories-slug.ts';
import { getAdminFaq } from '../http/get-admin-faq.ts';
import { getAdminFaqId } from '../http/get-admin-faq-id.ts';
import { getAdminMerchants } from '../http/get-admin-merchants.ts';
import { getAdminMerchantsSlug } from '../http/get-admin-merchants-slug.ts';
import { getAdminPosts } from '../http/get-admin-posts.ts';
import { getAdminPostsSlug } from '../http/get-admin-posts-slug.ts';
import { patchAdminCategoriesSlug } from '../http/patch-admin-categories-slug.ts';
import { patchAdminFaqId } from '../http/patch-admin-faq-id.ts';
import { patchAdminMerchantsSlug } from '../http/patch-admin-merchants-slug.ts';
import { patchAdminPostsSlug } from '../http/patch-admin-posts-slug.ts';
import { postAdminCategories } from '../http/post-admin-categories.ts';
import { postAdminFaq } from '../http/post-admin-faq.ts';
import { postAdminMerchants } from '../http/post-admin-merchants.ts';
import { postAdminPosts } from '../http/post-admin-posts.ts';
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
  ].map((open) => open(content));
