import { Type } from 'typebox';
import { SORTS } from '#platform/http/list-query.ts';
import { Slug, Text } from '#platform/http/schemas.ts';
import {
  defineContentList,
  defineCreate,
  defineGet,
  definePictureUpload,
  defineRemove,
  defineUpdate,
} from '../content/define-endpoints.ts';
import { merchantResource } from '../content/resources.ts';

export const getAdminMerchants = defineContentList('GET /admin/merchants', merchantResource, {
  summary: 'List merchants, listed or not',
  query: {
    q: Type.Optional(
      Text(200, {
        description:
          'Beginnings of words of name, category or city, ignoring case and accents. Typos are tolerated if nothing matches.',
      }),
    ),
    category: Type.Optional(Slug()),
    listed: Type.Optional(Type.Enum(['true', 'false'])),
    sort: Type.Optional(Type.Enum([...SORTS], { description: 'Sort order; by name if omitted.' })),
  },
  cli: { columns: 'slug, name, category, city, state, listed' },
  pageDescription: 'A page of merchants.',
});

export const postAdminMerchants = defineCreate('POST /admin/merchants', merchantResource, {
  description: 'Setting a `plan` requires the role `finance`. Without it the merchant gets the default plan.',
});

export const getAdminMerchantsSlug = defineGet('GET /admin/merchants/:slug', merchantResource, {
  approvalOf: { kind: 'merchant', idField: 'slug' },
});

export const patchAdminMerchantsSlug = defineUpdate('PATCH /admin/merchants/:slug', merchantResource, {
  description: 'Changes only the fields in the body. Changing the `plan` requires the role `finance`.',
});

export const deleteAdminMerchantsSlug = defineRemove('DELETE /admin/merchants/:slug', merchantResource);

export const putAdminMerchantsSlugLogo = definePictureUpload(
  'PUT /admin/merchants/:slug/logo',
  merchantResource,
  {
    id: 'setMerchantLogo',
    summary: 'Upload the logo of a merchant',
    field: 'logo_url',
  },
);
