import { changeEndpoint } from '../admin/endpoints.ts';
import { categoryResource } from '../admin/resources.ts';

export const patchAdminCategoriesSlug = changeEndpoint('PATCH /admin/categories/:slug', categoryResource);
