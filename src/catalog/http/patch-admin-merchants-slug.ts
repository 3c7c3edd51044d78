import { changeEndpoint } from '../admin/endpoints.ts';
import { merchantResource } from '../admin/resources.ts';

export const patchAdminMerchantsSlug = changeEndpoint('PATCH /admin/merchants/:slug', merchantResource, {
  description: 'The `plan` takes the role `finance`: it decides what is earned and paid.',
});
