import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { listResponse } from '#platform/http/list-query.ts';
import { pageParameters } from '#platform/http/pagination.ts';
import { Text } from '#platform/http/schemas.ts';
import { type ContentDeps, listContent } from '../content/content.ts';
import { defineCreate, defineGet, defineRemove, defineUpdate } from '../content/define-endpoints.ts';
import { categoryResource, StaffCategory } from '../content/resources.ts';
import { stillUsed } from '../problems.ts';

export const getAdminCategories = (deps: ContentDeps) =>
  endpoint('GET /admin/categories', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listCategoryForStaff',
    summary: 'List categories for staff',
    query: Type.Object({
      ...pageParameters(),
      q: Type.Optional(Text(200, { description: 'Text in the name, ignoring case and accents.' })),
    }),
    responses: listResponse('A page of categories, in order of slug.', StaffCategory),
    handler: (request, reply) => listContent(deps, categoryResource, { request, reply }),
  });

export const postAdminCategories = defineCreate('POST /admin/categories', categoryResource);

export const getAdminCategoriesSlug = defineGet('GET /admin/categories/:slug', categoryResource);

export const patchAdminCategoriesSlug = defineUpdate('PATCH /admin/categories/:slug', categoryResource);

export const deleteAdminCategoriesSlug = defineRemove('DELETE /admin/categories/:slug', categoryResource, [
  stillUsed,
]);
