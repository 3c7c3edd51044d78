import { Type } from 'typebox';
import { Text } from '#platform/http/schemas.ts';
import {
  defineContentList,
  defineCreate,
  defineGet,
  defineRemove,
  defineUpdate,
} from '../content/define-endpoints.ts';
import { categoryResource } from '../content/resources.ts';
import { stillUsed } from '../problems.ts';

export const getAdminCategories = defineContentList('GET /admin/categories', categoryResource, {
  summary: 'List categories for staff',
  query: {
    q: Type.Optional(Text(200, { description: 'Text in the name, ignoring case and accents.' })),
  },
  page: 'A page of categories, in order of slug.',
});

export const postAdminCategories = defineCreate('POST /admin/categories', categoryResource);

export const getAdminCategoriesSlug = defineGet('GET /admin/categories/:slug', categoryResource);

export const patchAdminCategoriesSlug = defineUpdate('PATCH /admin/categories/:slug', categoryResource);

export const deleteAdminCategoriesSlug = defineRemove('DELETE /admin/categories/:slug', categoryResource, [
  stillUsed,
]);
