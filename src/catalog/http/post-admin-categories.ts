import { createEndpoint } from '../admin/endpoints.ts';
import { categoryResource } from '../admin/resources.ts';

export const postAdminCategories = createEndpoint('POST /admin/categories', categoryResource);
