import { removeEndpoint } from '../admin/endpoints.ts';
import { postResource } from '../admin/resources.ts';

export const deleteAdminPostsSlug = removeEndpoint('DELETE /admin/posts/:slug', postResource);
