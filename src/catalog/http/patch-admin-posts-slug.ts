import { changeEndpoint } from '../admin/endpoints.ts';
import { postResource } from '../admin/resources.ts';

export const patchAdminPostsSlug = changeEndpoint('PATCH /admin/posts/:slug', postResource);
