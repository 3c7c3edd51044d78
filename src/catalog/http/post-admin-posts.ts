import { createEndpoint } from '../admin/endpoints.ts';
import { postResource } from '../admin/resources.ts';

export const postAdminPosts = createEndpoint('POST /admin/posts', postResource);
