import { pictureEndpoint } from '../admin/endpoints.ts';
import { postResource } from '../admin/resources.ts';

export const putAdminPostsSlugCover = pictureEndpoint('PUT /admin/posts/:slug/cover', postResource, {
  id: 'setPostCover',
  summary: 'Upload the cover of a post',
  field: 'cover_url',
});
