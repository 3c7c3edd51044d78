import { showEndpoint } from '../admin/endpoints.ts';
import { postResource } from '../admin/resources.ts';

export const getAdminPostsSlug = showEndpoint('GET /admin/posts/:slug', postResource);
