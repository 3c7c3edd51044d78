import { createEndpoint } from '../admin/endpoints.ts';
import { merchantResource } from '../admin/resources.ts';

export const postAdminMerchants = createEndpoint('POST /admin/merchants', merchantResource, {
  description: 'A `plan` takes the role `finance`; without one it is the usual plan.',
});
