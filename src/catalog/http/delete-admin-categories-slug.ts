import { removeEndpoint } from '../admin/endpoints.ts';
import { categoryResource } from '../admin/resources.ts';
import { stillUsed } from '../problems.ts';

export const deleteAdminCategoriesSlug = removeEndpoint('DELETE /admin/categories/:slug', categoryResource, [
  stillUsed,
]);
