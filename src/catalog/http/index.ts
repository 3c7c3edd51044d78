export {
  deleteAdminCategoriesSlug,
  getAdminCategories,
  getAdminCategoriesSlug,
  patchAdminCategoriesSlug,
  postAdminCategories,
} from './admin-categories.ts';
export { deleteAdminFaqId, getAdminFaq, getAdminFaqId, patchAdminFaqId, postAdminFaq } from './admin-faq.ts';
export { postAdminImportKind } from './admin-import.ts';
export { deleteAdminLeadsId, getAdminLeads, getAdminLeadsId, patchAdminLeadsId } from './admin-leads.ts';
export { deleteAdminMediaName, getAdminMedia, getAdminMediaName, postAdminMedia } from './admin-media.ts';
export {
  deleteAdminMerchantsSlug,
  getAdminMerchants,
  getAdminMerchantsSlug,
  patchAdminMerchantsSlug,
  postAdminMerchants,
  putAdminMerchantsSlugLogo,
} from './admin-merchants.ts';
export {
  deleteAdminPostsSlug,
  getAdminPosts,
  getAdminPostsSlug,
  patchAdminPostsSlug,
  postAdminPosts,
  postAdminPostTextTry,
  putAdminPostsSlugCover,
} from './admin-posts.ts';
export { getMediaFilesName } from './media.ts';
export { getPublicBlog, getPublicBlogSlug } from './public-blog.ts';
export { getPublicCategories } from './public-categories.ts';
export { getPublicFaq, getPublicFaqTopics } from './public-faq.ts';
export { postPublicLeads } from './public-leads.ts';
export { getPublicMerchants, getPublicMerchantsSlug } from './public-merchants.ts';
