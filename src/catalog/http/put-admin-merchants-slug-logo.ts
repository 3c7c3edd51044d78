import { pictureEndpoint } from '../admin/endpoints.ts';
import { merchantResource } from '../admin/resources.ts';

export const putAdminMerchantsSlugLogo = pictureEndpoint(
  'PUT /admin/merchants/:slug/logo',
  merchantResource,
  {
    id: 'setMerchantLogo',
    summary: 'Upload the logo of a merchant',
    field: 'logo_url',
  },
);
