import { removeEndpoint } from '../admin/endpoints.ts';
import { merchantResource } from '../admin/resources.ts';

export const deleteAdminMerchantsSlug = removeEndpoint('DELETE /admin/merchants/:slug', merchantResource);
