import { showEndpoint } from '../admin/endpoints.ts';
import { merchantResource } from '../admin/resources.ts';

export const getAdminMerchantsSlug = showEndpoint('GET /admin/merchants/:slug', merchantResource);
