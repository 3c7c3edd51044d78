import { showEndpoint } from '../admin/endpoints.ts';
import { categoryResource } from '../admin/resources.ts';

export const getAdminCategoriesSlug = showEndpoint('GET /admin/categories/:slug', categoryResource);
